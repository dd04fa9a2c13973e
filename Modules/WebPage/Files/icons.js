// The icons of the page: lines in a box of 24 × 24, with a width of 1.8 and round ends.

const circle = 'M12 3.8a8.2 8.2 0 1 0 0 16.4 8.2 8.2 0 0 0 0-16.4';
const turn = 'M19 12a7 7 0 1 1-2.2-5.1M19.5 3.8V8h-4.2';

const paths = {
  add: 'M12 5v14M5 12h14',
  back: 'M14.5 6l-6 6 6 6',
  check: 'M5 12.5l5 5L19.5 7',
  chosen: 'M4.5 4.5h15v15h-15zM8 12.2l2.8 2.8L16 9',
  close: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  down: 'M7 10l5 5 5-5',
  direction: 'M4 12h16M14.5 6.5L20 12l-5.5 5.5',
  file: 'M6.5 3.5H14l4.5 4.5v12.5h-12zM13.5 4v4.5H18',
  fit: 'M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15',
  grid: 'M5 5h5.5v5.5H5zM13.5 5H19v5.5h-5.5zM5 13.5h5.5V19H5zM13.5 13.5H19V19h-5.5z',
  help: `${circle}M9.7 9.7a2.4 2.4 0 1 1 3.5 2.1c-.9.4-1.2.9-1.2 1.8M12 16.6h.01`,
  hosts: 'M4.5 5h15v6h-15zM4.5 13h15v6h-15zM8 8h.01M8 16h.01',
  info: `${circle}M12 11v5.2M12 7.8h.01`,
  invert: `${circle}M12 3.8v16.4M15 5v14M18 7.5v9`,
  list: 'M5 7h14M5 12h14M5 17h14',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  next: 'M9.5 6l6 6-6 6',
  open: 'M10 5H5v14h14v-5M13.5 4.5h6v6M19 5l-8 8',
  pause: 'M9 5.5v13M15 5.5v13',
  pixels: 'M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15 15l5 5M10.5 8v5M8 10.5h5',
  play: 'M8 5.5v13L18.5 12z',
  priority: 'M6 20.5V4M6 5h11.5l-3 4 3 4H6',
  refresh: 'M12 3.5v8M8.5 8L12 11.5 15.5 8M5 15.5h14M5 20h14',
  reload: 'M4.5 12a7.5 7.5 0 0 1 13-5.1l2 2.1M19.5 4.5V9H15M19.5 12a7.5 7.5 0 0 1-13 5.1l-2-2.1M4.5 19.5V15H9',
  remove: 'M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7M10.3 10.5v5.5M13.7 10.5v5.5',
  retry: turn,
  rotate: 'M4.5 11h8.5v8.5H4.5zM9 5h4a6 6 0 0 1 6 6v.5M16 9.5l3 3 3-3',
  save: 'M12 4v11M7.5 10.5L12 15l4.5-4.5M5 20h14',
  search: 'M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.8 15.8L20 20',
  settings: 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M12 3.5V6M12 18v2.5M3.5 12H6M18 12h2.5M6 6l1.8 1.8M16.2 16.2L18 18'
    + 'M6 18l1.8-1.8M16.2 7.8L18 6',
  slices: 'M12 4l8.5 4.5L12 13 3.5 8.5zM3.5 12.5L12 17l8.5-4.5M3.5 16.5L12 21l8.5-4.5',
  sort: 'M7 5v14M3.5 15.5L7 19l3.5-3.5M13.5 7h7M13.5 12h5M13.5 17h2.5',
  table: 'M4 5h16v14H4zM4 10h16M10 10v9',
  warning: 'M12 4.5l9 15H3zM12 10v4.5M12 17h.01',
};

const space = 'http://www.w3.org/2000/svg';

/** Creates an icon, which screen readers ignore: the element that contains it has a name. */
export function icon(name) {
  const drawing = document.createElementNS(space, 'svg');
  drawing.setAttribute('class', 'icon');
  drawing.setAttribute('viewBox', '0 0 24 24');
  drawing.setAttribute('aria-hidden', 'true');
  drawing.append(document.createElementNS(space, 'path'));
  setIcon(drawing, name);
  return drawing;
}

/** Lets an icon show another drawing. */
export function setIcon(drawing, name) {
  drawing.dataset.icon = name;
  drawing.firstChild.setAttribute('d', paths[name]);
}
