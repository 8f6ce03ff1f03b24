"""Models in NumPy give what the program gives."""

import hashlib
import json
import subprocess

import numpy as np
import pandas
import pytest
from scipy import sparse
from sklearn.datasets import make_moons

from lapsvm import LapSVMClassifier, LapSVMRegressor, _command, _table, _text, load

pytestmark = pytest.mark.usefixtures("program")  # which loaded models are held against


def agree(model, classifier, X):
    """Asserts that labels are equal, and values to 1e-6 of the largest."""
    scores = classifier.decision_function(X)
    np.testing.assert_allclose(model.decision_function(X), scores, atol=1e-6 * np.abs(scores).max(), rtol=0)
    np.testing.assert_array_equal(model.predict(X), classifier.predict(X))
    np.testing.assert_allclose(model.predict_proba(X), classifier.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("kernel", [
    {}, {"kernel": "laplacian", "sigma": 1.0}, {"kernel": "linear"}, {"kernel": "poly", "degree": 3, "gamma": 0.5, "coef0": 1}, {"kernel": "poly", "degree": 2},
], ids=str)
@pytest.mark.parametrize("scaling", ["none", "unit-norm", "zscore", "minmax", "columns"])
def test_kernels_and_scalings(moons, given, kernel, scaling):
    X, _, y = moons
    X = np.column_stack([X, np.exp((1 if scaling == "none" else 3) * X[:, 0])])  # a long tail, where it is scaled
    classifier = LapSVMClassifier(**{**given, "standardise": scaling, "precision": 64, **kernel}).fit(X, y)
    agree(load(classifier.model_), classifier, X)


@pytest.mark.parametrize("classes", [[0, 1], [-1, 5], ["a", "b"], ["01", "2"], [0.0, 1.0]], ids=str)
def test_classes_of_loaded_models_are_of_their_type(moons, given, classes):
    X, _, y = moons
    loaded = load(LapSVMClassifier(**given, unlabelled=None).fit(X, [None if v < 0 else classes[v] for v in y]).model_)
    assert list(loaded.classes_) == classes and set(loaded.predict(X).tolist()) == set(classes)


def test_storages_and_classes(moons, given):
    X, _, y = moons
    y = np.where(X[:, 0] > 1.5, np.where(y < 0, -1, 2), y)
    given = {**given, "precision": 64}
    for points in (X.astype(np.float32), sparse.csr_matrix(np.where(np.abs(X) < 0.5, 0, X))):
        classifier = LapSVMClassifier(**given).fit(points, y)
        agree(load(classifier.model_), classifier, points)
    agree(load(classifier.model_), classifier, sparse.csc_array(points))
    images = np.round(100 * X + 100).clip(0, 255).astype(np.uint8)
    for scaling in ("none", "unit-norm", "minmax"):
        classifier = LapSVMClassifier(**{**given, "standardise": scaling, "sigma": 35 if scaling == "none" else 0.1}).fit(images, y)
        agree(load(classifier.model_), classifier, images)


@pytest.mark.parametrize("size", [1e-200, 1e153, 1e200], ids=str)
def test_widths_whose_square_is_no_float(moons, given, size):
    X, _, y = moons
    classifier = LapSVMClassifier(**{**given, "standardise": "none", "precision": 64, "sigma": 50 * size}).fit(size * X, y)
    agree(load(classifier.model_), classifier, size * X)


def test_default_parameters(moons, tmp_path):
    X, _, y = moons
    classifier = LapSVMClassifier().fit(X, y)
    classifier.save(tmp_path / "m.lapsvm")
    agree(load(tmp_path / "m.lapsvm"), classifier, X)


def test_columns_of_a_table_keep_their_names(moons, given, tmp_path):
    X, _, y = moons
    table = pandas.DataFrame(X, columns=["left", "up, or down"])
    classifier = LapSVMClassifier(**given, precision=64).fit(table, y)
    scores = classifier.decision_function(table)
    classifier.save(tmp_path / "m.lapsvm")
    model = load(tmp_path / "m.lapsvm")
    assert model.features == list(table.columns)
    np.testing.assert_allclose(model.decision_function(table.iloc[:, ::-1]), scores, atol=1e-12)
    table.iloc[:, ::-1].to_csv(tmp_path / "t.csv", index=False)
    out = pandas.read_csv(pandas.io.common.StringIO(command("predict", tmp_path / "m.lapsvm", tmp_path / "t.csv", "--scores")))
    np.testing.assert_allclose(out["score"], scores, atol=1e-12)
    twice = pandas.DataFrame(X, columns=["x", "x"])
    assert load(LapSVMClassifier(**given).fit(twice, y).model_).features is None


def command(*arguments):
    return subprocess.run([_command.binary(), *map(str, arguments), "--quiet"], check=True, capture_output=True, text=True).stdout


def test_tables_are_encoded_as_they_were(moons, tmp_path):
    X, truth, y = moons
    table = pandas.DataFrame({"x": X[:, 0], "member": np.where(X[:, 1] > 0, "yes", "no"), "place": np.where(X[:, 1] > 0.3, "north", "south"), "up": X[:, 1],
                              "label": np.where(y < 0, "", y.astype(str))})
    table.loc[3, "up"] = None
    table.loc[4, "place"] = None
    table.to_csv(tmp_path / "t.csv", index=False)
    command("train", tmp_path / "t.csv", "-o", tmp_path / "m.lapsvm", "--precision", "64")
    out = pandas.read_csv(pandas.io.common.StringIO(command("predict", tmp_path / "m.lapsvm", tmp_path / "t.csv", "--scores")))
    model = load(tmp_path / "m.lapsvm")
    again = pandas.read_csv(tmp_path / "t.csv")
    np.testing.assert_allclose(model.decision_function(again), out["score"], atol=1e-6 * out["score"].abs().max())
    np.testing.assert_array_equal(model.predict(again), out["label"])
    with pytest.raises(ValueError, match="'place' is missing"):
        model.predict(again.drop(columns="place"))
    for other in (np.ones((2, 3)), again.to_dict("records"), again.to_dict("list"), again.to_numpy()):
        with pytest.raises(ValueError, match="give a table with the columns 'x', 'member', 'place', 'up', such as a DataFrame"):
            model.predict(other)


@pytest.mark.parametrize("written", ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S+01:30", "%d/%m/%Y", "%m/%d/%Y %H:%M"])
def test_texts_and_dates_are_encoded_as_they_were(tmp_path, written):
    random = np.random.RandomState(0)
    classes = random.randint(0, 2, 80)
    words = np.array("straße ΣΊΣΥΦΟΣ naïve İstanbul half½ don’t éclair 日本 under_score ΑΣ plain words here and there 12 3.50".split())
    days = pandas.Timestamp("2020-03-01") + pandas.to_timedelta(300 * random.rand(80) + 200 * classes, unit="D")
    table = pandas.DataFrame({"post": [" ".join(random.choice(words[6 * c:6 * c + 11], 6)) for c in classes], "day": days.strftime(written),
                              "grade": random.choice([0.000005, 7.0, 1e22], 80), "label": np.where(np.arange(80) < 30, classes.astype(str), "")})
    table.loc[40, ["post", "day"]] = None
    table.to_csv(tmp_path / "t.csv", index=False)
    command("train", tmp_path / "t.csv", "-o", tmp_path / "t.lapsvm", "--text", "post", "--describe", "none", "--category", "grade", "--gamma-a", "0.01", "--gamma-i", "1")
    out = pandas.read_csv(pandas.io.common.StringIO(command("predict", tmp_path / "t.lapsvm", tmp_path / "t.csv", "--scores", "--proba")), float_precision="round_trip")
    model, again = load(tmp_path / "t.lapsvm"), pandas.read_csv(tmp_path / "t.csv")
    assert {column["kind"] for column in model.encoding["columns"]} == {"text", "date", "category"}
    np.testing.assert_allclose(model.decision_function(again), out["score"], atol=1e-12)
    np.testing.assert_allclose(model.predict_proba(again), out.filter(like="proba_"), atol=1e-12)
    np.testing.assert_array_equal(model.predict(again), out["label"])
    if "T" not in written:
        again["day"] = pandas.to_datetime(again["day"], format=written)
        np.testing.assert_allclose(model.decision_function(again), out["score"], atol=1e-12)
    with pytest.raises(ValueError, match="row 1, column 'day': 'no day' is not a date"):
        model.predict(again.assign(day="no day"))


def test_pairs_and_triples_of_characters():
    assert sorted(_text.grams("Ab, 日")) == sorted([" a", "ab", "b ", " ab", "ab ", " 日", "日 ", " 日 "])
    column = {"name": "t", "kind": "text", "words": ["cat"], "idf": [1.5], "grams": [" c", "at ", "ca"], "gram_idf": [1.0, 2.0, 3.0]}
    x, new = _table.encoded(pandas.DataFrame({"t": ["cat", "cart ca", None, "mat"]}), [column])
    length = np.sqrt(14)
    first = 1 + np.log(2)
    both = np.hypot(first, 3 * first)
    expected = [[1, 1 / length, 2 / length, 3 / length], [0, first / both, 0, 3 * first / both], [0, 0, 0, 0], [0, 0, 1, 0]]
    assert np.allclose(x.toarray(), expected, rtol=0, atol=1e-15) and not new
    assert _table.encoded(pandas.DataFrame({"t": ["dog"]}), [column])[1]


def test_categories_and_missing_values_are_spelt_as_they_were(tmp_path):
    random = np.random.RandomState(0)
    classes = np.arange(60) % 2
    table = pandas.DataFrame({"zip": random.choice(["01532", "10115", "1.10", "1.1", "N/A"], 60), "place": np.where(classes, random.choice(["red", "None"], 60), random.choice(["blue", "none"], 60)),
                              "post": random.choice(["null", "the cat sat", "a dog ran", "no cat null"], 60), "size": np.where(random.rand(60) < 0.2, "N/A", (classes + random.rand(60)).astype(str)),
                              "label": np.where(np.arange(60) < 20, classes.astype(str), "")})
    table.to_csv(tmp_path / "t.csv", index=False)
    command("train", tmp_path / "t.csv", "-o", tmp_path / "m.lapsvm", "--text", "post", "--describe", "none", "--category", "zip", "--neighbours", "3", "--gamma-a", "0.01", "--gamma-i", "1")
    out = pandas.read_csv(pandas.io.common.StringIO(command("predict", tmp_path / "m.lapsvm", tmp_path / "t.csv", "--scores")), float_precision="round_trip")
    model = load(tmp_path / "m.lapsvm")
    assert [c.get("values") for c in model.encoding["columns"][:2]] == [["1.1", "1.10", "01532", "10115"], ["blue", "none", "red"]]
    for again in (pandas.read_csv(tmp_path / "t.csv", dtype=str, keep_default_na=False), pandas.read_csv(tmp_path / "t.csv", dtype={"zip": str})):
        np.testing.assert_allclose(model.decision_function(again), out["score"], atol=1e-12)
    numbers = again.assign(zip=[1532] * 60)
    np.testing.assert_allclose(model.decision_function(numbers), model.decision_function(again.assign(zip="01532")), atol=1e-12)
    with pytest.raises(ValueError, match="the column 'zip' holds lists, where a category is expected"):
        model.predict(again.assign(zip=[[1, 2]] * 60))


@pytest.mark.parametrize("text", [False, True])
def test_places_have_the_bits_of_the_program(tmp_path, text):
    random = np.random.RandomState(3)
    classes = np.arange(80) % 2
    table = pandas.DataFrame({"lat": np.where(classes, 88, -5) + 2 * random.rand(80), "size": random.rand(80), "lon": (np.where(classes, 100, 175) + 10 * random.rand(80) + 180) % 360 - 180})
    if text:
        table["post"] = random.choice(["red bus", "blue tram", "red tram"], 80)
    y = np.where(np.arange(80) < 20, classes, -1)
    table.loc[[70, 71], "lat"] = None
    table.loc[[71, 72], "lon"] = None
    classifier = LapSVMClassifier(coordinates=["lat", "lon"], text="post" if text else None, standardise="none", kernel="gaussian", sigma=0.3, neighbours=6, gamma_a=0.01, gamma_i=1,
                                  laplacian_degree=1, precision=64).fit(table, y)
    kinds = {"lat": "latitude", "lon": "longitude", "size": "number", **({"post": "text"} if text else {})}
    assert classifier.columns_ == kinds
    model = load(classifier.model_)
    features, new = model._features(table)
    assert not new
    assert np.array_equal(features.toarray() if text else features, model.basis.toarray() if text else model.basis)
    agree(model, classifier, table)
    if not text:
        a, b = np.radians(table["lat"][:70]), np.radians(table["lon"][:70])
        naive = np.column_stack([np.sin(a), table["size"][:70], np.cos(a) * np.cos(b), np.cos(a) * np.sin(b)])
        by_name = features[:70][:, [model.features.index(name) for name in ("sin(lat)", "size", "cos(lat)cos(lon)", "cos(lat)sin(lon)")]]
        np.testing.assert_allclose(by_name, naive, atol=1e-15)
    with pytest.raises(ValueError, match="row 3, column 'lat': -91.0 is not a latitude"):
        model.predict(table.assign(lat=np.where(np.arange(80) == 2, -91.0, 0)))
    with pytest.raises(ValueError, match="--coordinates names a latitude and its longitude|add its longitude"):
        LapSVMClassifier(coordinates=["lat"]).fit(table, y)


@pytest.mark.parametrize("text", [False, True])
def test_written_numbers_have_the_bits_of_the_program(text):
    random = np.random.RandomState(4)
    classes = np.arange(60) % 2
    paid = 900 * random.rand(60) + 600 * classes
    table = pandas.DataFrame({"dollars": [f"-${v:,.2f}" if i % 7 == 3 else f"${v:,.2f}" for i, v in enumerate(paid)], "euros": [f"{v:,.2f} €".translate({44: ".", 46: ","}) for v in paid],
                              "share": [f"{v:.1f}%" for v in 100 * random.rand(60)], "account": [f"({v:.2f})" if i % 3 else f"{v:.2f}" for i, v in enumerate(paid)],
                              "at": [f"{random.randint(24):02}:{random.randint(60):02}:{random.randint(60):02}" for _ in paid], "half": [f"{random.randint(1, 13)}:{random.randint(60):02} {'ap'[i % 2]}m" for i in range(60)]})
    if text:
        table["post"] = random.choice(["red bus", "blue tram", "red tram"], 60)
    table.loc[[50, 51], ["dollars", "at"]] = None
    y = np.where(np.arange(60) < 20, classes, -1)
    classifier = LapSVMClassifier(text="post" if text else None, standardise="none", kernel="gaussian", sigma=100, neighbours=6, gamma_a=0.01, gamma_i=1, laplacian_degree=1, precision=64).fit(table, y)
    kinds = {"dollars": "amount", "euros": "amount", "share": "amount", "account": "amount", "at": "time", "half": "time", **({"post": "text"} if text else {})}
    assert classifier.columns_ == kinds
    model = load(classifier.model_)
    features, new = model._features(table)
    assert not new
    own = [k for k, name in enumerate(model.features) if not name.startswith("post")]
    assert len(own) == 8 and np.array_equal(features.toarray()[:, own] if text else features, model.basis.toarray()[:, own] if text else model.basis)
    agree(model, classifier, table)
    if not text:
        cents = np.where(np.arange(60) % 7 == 3, -1, 1) * np.array([float(f"{v:.2f}") for v in paid])
        assert np.array_equal(np.delete(features[:, model.features.index("dollars")], [50, 51]), np.delete(cents, [50, 51]))
    for column, value in {"dollars": "€5", "share": 0.5, "euros": "1.200", "at": "25:00"}.items():
        other = table.astype(object)
        other.loc[2, column] = value
        with pytest.raises(ValueError, match=f"row 3, column '{column}'"):
            model.predict(other)
        with pytest.raises(ValueError, match=f"column \"{column}\""):
            classifier.predict(other)


def test_what_cannot_be_read_is_said(moons, given, tmp_path):
    X, _, y = moons
    classifier = LapSVMClassifier(**given, proba=False).fit(X, y)
    data = classifier.model_
    with pytest.raises(ValueError, match="is not a lapsvm model file"):
        load(b"something else")
    with pytest.raises(ValueError, match="damaged"):
        load(data[:-40] + b"\0" + data[-39:])
    for length in (0, 4, 10, 40, 200, len(data) // 2, len(data) - 1):
        with pytest.raises(ValueError, match="is not a lapsvm model file" if length < 8 else "damaged or cut off"):
            load(data[:length])
    with pytest.raises(ValueError, match="version 12"):
        load(data[:8] + b"\14" + data[9:])
    with pytest.raises(ValueError, match="without probabilities"):
        load(data).predict_proba(X)
    with pytest.raises(ValueError, match="3 features"):
        load(data).predict(np.zeros((1, 3)))
    compact = LapSVMClassifier(solver="landmarks", landmarks=50, compact=True, precision=64, **given).fit(X, y)
    agree(load(compact.model_), compact, X)


def bars(n, height, width, colours=1, seed=0, noise=60):
    """Returns pictures of bars that lie or stand on noise, flat, and which they are."""
    random = np.random.default_rng(seed)
    pictures, truth = random.integers(0, noise, (n, height, width, colours)), np.arange(n) % 2
    for picture, stands in zip(pictures, truth):
        k = random.integers(1, (width if stands else height) - 2)
        if stands:
            picture[2:-2, k:k + 2] += 150
        else:
            picture[k:k + 2, 2:-2] += 150
    return pictures.astype(np.uint8).reshape(n, -1), truth


@pytest.mark.parametrize("shape", [(24, 24), (9, 14), (60, 30), (12, 16, 3)], ids=str)
def test_pictures_are_described(shape):
    X, truth = bars(60, *shape)
    y = np.where(np.arange(60) < 10, truth, -1)
    for describe in ("hog", "patches", ["hog", "patches"], ["hog", "dots"]):
        classifier = LapSVMClassifier(image_shape=shape, describe=describe, gamma_a=0.01, gamma_i=1, neighbours=6, laplacian_degree=1).fit(X, y)
        later, kinds = bars(40, *shape, seed=1)
        agree(load(classifier.model_), classifier, later)
        if "dots" not in describe and (describe != "patches" or min(shape[:2]) >= 24):  # bars lie anywhere, and patches see too little of small pictures
            assert (classifier.predict(later) == kinds).mean() > 0.9
    classifier = LapSVMClassifier(image_shape=shape).fit(X, y)
    agree(load(classifier.model_), classifier, later)
    with pytest.raises(ValueError, match="features"):
        load(classifier.model_).predict(later[:, 1:])


@pytest.mark.parametrize("shape", [(24, 24), (9, 14), (60, 30), (12, 16, 3)], ids=str)
def test_pictures_are_aligned(shape):
    X, truth = bars(80, *shape, noise=9)
    y = np.where(np.arange(80) < 10, truth, -1)
    classifier = LapSVMClassifier(image_shape=shape, describe=["hog", "patches"], gamma_a=0.01, gamma_i=1, neighbours=6, laplacian_degree=1).fit(X, y)
    loaded = load(classifier.model_)
    assert loaded._description.aligned
    later, kinds = bars(40, *shape, seed=1, noise=9)
    later[0] = 7  # there is nothing to be seen
    agree(loaded, classifier, later)
    assert (classifier.predict(later[1:]) == kinds[1:]).mean() > 0.9


@pytest.mark.filterwarnings("ignore:values that the training:UserWarning", "ignore:the data are unlike:UserWarning")
def test_texts_are_described():
    random = np.random.default_rng(3)
    topics, texts = ["garden", "harbour"], []
    for i in range(80):
        words = [f"{topics[i % 2] if k % 2 else 'common'}{random.integers(100, 140)}" for k in range(6)]
        texts.append(" ".join(words))
    table = pandas.DataFrame({"note": texts, "price": random.normal(size=80), "label": [topics[i % 2] if i < 12 else "" for i in range(80)]})
    X = table[["note", "price"]]
    for describe in ("auto", "none"):
        classifier = LapSVMClassifier(text=["note"], describe=describe).fit(X, table["label"])
        model = load(classifier.model_)
        assert ("latent" in model.recipe.get("describe", [])) == (describe == "auto")
        agree(model, classifier, X)
        agree(model, classifier, pandas.DataFrame({"note": ["garden101 and a harbour", "nothing known", None], "price": [0.5, None, 1e9]}))


def test_curves_are_described_by_factors():
    random = np.random.default_rng(5)
    classes, place = np.arange(150) % 3, np.linspace(-1, 1, 40)
    X = 30 * random.normal(size=(150, 1)) + 20 * random.normal(size=(150, 1)) * place + np.cos(place * (3 + 3 * classes[:, None])) + 0.1 * random.normal(size=(150, 40))
    y = np.where(np.arange(150) < 15, classes, -1)
    classifier = LapSVMClassifier().fit(X, y)
    model = load(classifier.model_)
    assert model.recipe["describe"] == ["factors"]
    agree(model, classifier, X)
    assert (classifier.predict(X) == classes).mean() > 0.9


@pytest.mark.parametrize("describe", [None, "none", "latent"])
def test_vectors_stand_beside_other_columns(tmp_path, describe):
    random = np.random.RandomState(4)
    classes = np.arange(80) % 2
    vectors = [(random.rand(3) + c).tolist() for c in classes]
    vectors[5] = None
    table = pandas.DataFrame({"size": random.rand(80), "embedding": vectors})
    if describe:
        table["post"] = random.choice(["red bus", "blue tram", "red tram"], 80)
    table["label"] = np.where(np.arange(80) < 20, classes.astype(str), None)
    table.to_json(tmp_path / "t.jsonl", orient="records", lines=True, double_precision=15)
    flags = ["--neighbours", "3", "--gamma-a", "0.01", "--gamma-i", "1"] + (["--text", "post", "--describe", describe] if describe else [])
    command("train", tmp_path / "t.jsonl", "-o", tmp_path / "m.lapsvm", *flags)
    out = pandas.read_csv(pandas.io.common.StringIO(command("predict", tmp_path / "m.lapsvm", tmp_path / "t.jsonl", "--scores")), float_precision="round_trip")
    model = load(tmp_path / "m.lapsvm")
    assert model.encoding["version"] == 5 and model.features[:3] == ["embedding[1]", "embedding[2]", "embedding[3]"]
    written = [None if v is None else str(v) for v in vectors]
    numpy = [[] if v is None else np.array(v) for v in vectors]
    blanks = ["nan" if v is None else str(v).replace(",", "\n") for v in vectors]
    for again in (table, table.assign(embedding=written), table.assign(embedding=numpy), table.assign(embedding=blanks)):
        np.testing.assert_allclose(model.decision_function(again), out["score"], atol=1e-11)
    for wrong, message in [([1, 2], "row 1, column 'embedding': the vector has 2 numbers, but the training's had 3"), ("word", "row 1, column 'embedding': 'word' is not a vector"),
                           ([1, 2, np.inf], "row 1, column 'embedding': a number of the vector is not finite")]:
        with pytest.raises(ValueError, match=message):
            model.predict(table.assign(embedding=pandas.Series([wrong] * 80)))


def test_parts_of_later_programs_are_skipped_or_refused(moons, given):
    X, _, y = moons
    data = LapSVMClassifier(**given, proba=False).fit(X, y).model_
    end = 16 + int.from_bytes(data[12:16], "little")

    def later(parts, more):
        text = json.dumps({**json.loads(data[16:end]), "parts": parts, "pages": 3}).encode()
        other = data[:8] + (10).to_bytes(4, "little") + len(text).to_bytes(4, "little") + text + data[end:-32] + more
        return other + hashlib.sha256(other).digest()

    model = load(later([{"name": "pages", "bytes": 16, "skip": True}], bytes(16)))
    np.testing.assert_array_equal(model.decision_function(X), load(data).decision_function(X))
    with pytest.raises(ValueError, match="part 'pages', which this loader does not know"):
        load(later([{"name": "pages", "bytes": 16}], bytes(16)))


def forged(data, random):
    """Returns a model file whose header has one value that is another, and whose checksum is right."""
    end = 16 + int.from_bytes(data[12:16], "little")
    header, values = json.loads(data[16:end]), data[end:-32]
    places = []

    def find(part):
        for key in part if isinstance(part, dict) else range(len(part)):
            places.append((part, key))
            if isinstance(part[key], (dict, list)) and part[key]:
                find(part[key])

    find(header)
    part, key = places[random.integers(len(places))]
    strange = [None, -1, 0, 1, 2**40, 2**70, 0.5, -1e300, "", "none", "gaussian", True, [], [[]], {}, [1], ["a"], {"a": 1}]
    if random.random() < 0.2:
        if isinstance(part, dict):
            del part[key]
    else:
        part[key] = strange[random.integers(len(strange))]
    text = json.dumps(header).encode()
    body = data[:12] + len(text).to_bytes(4, "little") + text + values
    return body + hashlib.sha256(body).digest()


def test_forged_models_raise_value_error(moons, given):
    X, _, y = moons
    table = pandas.DataFrame({"x": X[:, 0], "y": X[:, 1], "colour": np.where(X[:, 0] > 0.5, "red", "blue")})
    random = np.random.default_rng(1)
    models = [(LapSVMClassifier(**given, precision=64, proba=True).fit(points, y).model_, points) for points in (X, table, sparse.csr_matrix(X))]
    refused = 0
    for k in range(1500):
        model, points = models[k % len(models)]
        try:
            found = load(forged(model, random))
            found.predict(points)
            found.predict_proba(points)
            found.decision_function(points)
        except ValueError:
            refused += 1
    assert 100 < refused < 1500


@pytest.mark.parametrize("kind", ["two", "three", "ordered", "several", "table"])
def test_means_of_views(tmp_path, kind):
    random = np.random.default_rng(4)
    classes = np.arange(150) % 3
    X = random.normal(size=(150, 12)) + 1.5 * np.eye(12)[classes]
    if kind == "table":
        X = pandas.DataFrame({"size": X[:, 0], "weight": np.where(classes == 1, X[:, 1], X[:, 1] - 2), "colour": np.array(["red", "blue", "green"])[classes]})
        X.loc[7, "colour"] = None
    y = np.where(np.arange(150) < 30, np.minimum(classes, 1) if kind == "two" else classes, -1)
    if kind == "several":
        y = np.where(y[:, None] < 0, -1, np.column_stack([classes == 0, classes < 2]))
    classifier = LapSVMClassifier(ordered=[0, 1, 2] if kind == "ordered" else None).fit(X, y)
    model = load(classifier.model_)
    assert len(model._views) == len(model.recipe["beside"]) == 2
    agree(model, classifier, X)
    one = LapSVMClassifier(views=1).fit(X, y)
    assert not load(one.model_)._views
    agree(load(one.model_), one, X)
    data, rng = classifier.model_, np.random.default_rng(1)
    refused = 0
    for _ in range(240):
        try:
            load(forged(data, rng)).predict_proba(X)
        except ValueError:
            refused += 1
    assert 0 < refused
    end = 16 + int.from_bytes(data[12:16], "little")
    header = json.loads(data[16:end])
    for key, value in [("weights", [0.9, 0.9]), ("weights", [0.1]), ("bytes", [1, 2]), ("bytes", header["views"]["bytes"][::-1] if kind != "table" else [0, 0])]:
        text = json.dumps({**header, "views": {**header["views"], key: value}}).encode()
        other = data[:12] + len(text).to_bytes(4, "little") + text + data[end:-32]
        with pytest.raises(ValueError, match="damaged"):
            load(other + hashlib.sha256(other).digest())


def test_means_of_views_of_numbers():
    random = np.random.default_rng(8)
    X = random.normal(size=(120, 5))
    y = np.where(np.arange(120) < 40, 10 + 3 * X[:, 0] + np.abs(X[:, 1]) + 0.3 * random.normal(size=120), np.nan)
    regressor = LapSVMRegressor().fit(X, y)
    model = load(regressor.model_)
    assert len(model._views) == len(model.recipe["beside"]) >= 1
    np.testing.assert_allclose(model.predict(X), regressor.predict(X), atol=1e-9)
    np.testing.assert_allclose(model.predict_interval(X, 0.8), regressor.predict_interval(X, 0.8), atol=1e-9)
    np.testing.assert_allclose(model.predict_interval(X, 0.8).mean(axis=1), model.predict(X), atol=1e-9)  # of the mean, not of one machine


@pytest.mark.parametrize("file", ["t.csv", "v.jsonl", "a.npz"])
def test_means_of_views_are_those_of_the_command(tmp_path, file):
    random = np.random.default_rng(6)
    classes = np.arange(150) % 3
    X = random.normal(size=(150, 12)) + 1.5 * np.eye(12)[classes]
    y = np.where(np.arange(150) < 30, np.array(["low", "mid", "high"])[classes], "")
    if file == "t.csv":
        X = pandas.DataFrame({"size": X[:, 0].round(4), "weight": X[:, 1].round(4), "colour": np.array(["red", "blue", "green"])[(classes + (random.random(150) < 0.2)) % 3]})
        X.assign(label=y).to_csv(tmp_path / file, index=False)
    elif file == "v.jsonl":
        (tmp_path / file).write_text("".join(json.dumps({"vector": list(row), "label": name or None}) + "\n" for row, name in zip(X, y)))
    else:
        np.savez(tmp_path / file, X=X, y=np.where(np.arange(150) < 30, classes, -1))
    command("train", tmp_path / file, "-o", tmp_path / "m.lapsvm")
    out = pandas.read_csv(pandas.io.common.StringIO(command("predict", tmp_path / "m.lapsvm", tmp_path / file, "--scores", "--proba")), float_precision="round_trip", dtype={"label": str})
    model = load(tmp_path / "m.lapsvm")
    assert len(model._views) >= 2
    given = pandas.DataFrame({"vector": X.tolist()}) if file == "v.jsonl" and model.encoding else X
    np.testing.assert_array_equal(model.predict(given).astype(str), out["label"])
    np.testing.assert_allclose(model.predict_proba(given), out.filter(like="proba_"), atol=1e-6)
    np.testing.assert_allclose(model.decision_function(given), out.filter(like="score"), atol=1e-5)
