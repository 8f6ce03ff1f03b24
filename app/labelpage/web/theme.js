// Light or dark, as chosen before; it runs before the page is drawn.
try {
  const chosen = localStorage.getItem('theme');
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the page follows the system.
}
