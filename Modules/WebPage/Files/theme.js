// The colours of the page: those of the system, or those that the user has chosen for it.

export const themes = { system: 'System', light: 'Light', dark: 'Dark' };

/** The name under which the browser keeps the choice; `early.js` applies it before the page is drawn. */
const name = 'imgdl-theme';

export function chosenTheme() {
  const theme = localStorage.getItem(name);
  return theme in themes ? theme : 'system';
}

export function chooseTheme(theme) {
  if (theme === 'system') localStorage.removeItem(name);
  else localStorage.setItem(name, theme);
  document.documentElement.dataset.theme = theme;
}
