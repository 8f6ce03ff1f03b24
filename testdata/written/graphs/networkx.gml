graph [
  node [
    id 0
    label "ann"
  ]
  node [
    id 1
    label "bea"
  ]
  node [
    id 2
    label "cid"
  ]
  node [
    id 3
    label "dan"
  ]
  node [
    id 4
    label "eva"
  ]
  node [
    id 5
    label "fay"
  ]
  edge [
    source 0
    target 1
    weight 2.5
  ]
  edge [
    source 0
    target 2
    weight 0.5
  ]
  edge [
    source 1
    target 2
    weight 1
  ]
  edge [
    source 3
    target 4
    weight 3
  ]
  edge [
    source 4
    target 5
    weight 1.25
  ]
]
