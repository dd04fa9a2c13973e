// The controls of the viewer, which float over the image and fade while the pointer rests.

import { button, commandButton, element } from './elements.js';

/** Milliseconds without movement after which the controls fade. */
const restingTime = 2000;

const stillness = matchMedia('(prefers-reduced-motion: reduce)');

export class ViewerControls {
  /**
   * @param {(command: string) => void} actions.perform Performs a command of the key table.
   * @param {() => void} actions.togglePixels Shows the image in its own size, or fits it again.
   * @param {() => void} actions.save Saves the original.
   */
  constructor({ perform, togglePixels, save }) {
    this.actions = { perform, togglePixels, save };
    const command = (text, name, icon, className = '') => commandButton(
      text, name, 'viewer', () => perform(name), { icon, isBare: true, className });
    this.name = element('p', { className: 'name' });
    this.caption = element('p', { className: 'caption' });
    this.direction = command('Direction', 'direction', 'direction', 'wide');
    const pixels = command('Pixels', 'zoomIn', 'pixels', 'wide');
    pixels.onclick = togglePixels;
    this.bar = element('div', { className: 'bar control' }, [
      command('Back', 'back', 'back'), element('div', { className: 'what' }, [this.name, this.caption]),
      command('Fit', 'fit', 'fit', 'wide'), pixels, command('Rotate', 'rotate', 'rotate', 'wide'), this.direction,
      button('Save the original', { icon: 'save', isBare: true, className: 'wide', press: save }),
      command('Info', 'info', 'info'),
      button('More', {
        icon: 'more', isBare: true, className: 'narrow', press: ({ currentTarget }) => this.#openMenu(currentTarget),
      }),
    ]);
    this.edges = [
      command('Previous', 'previous', 'back', 'edge control'), command('Next', 'next', 'next', 'edge control'),
    ];
  }

  /** The commands for which a narrow window has no room. */
  async #openMenu(place) {
    const { perform, togglePixels, save } = this.actions;
    const { showMenu } = await import('./menu.js');
    const command = (text, name) => ({ text, icon: name, press: () => perform(name) });
    showMenu('Image', [
      command('Fit', 'fit'), { text: 'Pixels', icon: 'pixels', press: togglePixels }, command('Rotate', 'rotate'),
      command(this.direction.ariaLabel, 'direction'), null, { text: 'Save the original', icon: 'save', press: save },
    ], place);
  }

  showDirection(isRightToLeft) {
    this.direction.classList.toggle('leftwards', isRightToLeft);
    this.direction.ariaLabel = `Reading direction: ${isRightToLeft ? 'right to left' : 'left to right'}`;
  }

  /**
   * Lets the controls in an element fade when nothing moves, unless one of them has the focus of the keyboard or the
   * user wants no motion. The tap of a finger that shows them again presses none of them.
   */
  follow(viewer) {
    this.viewer = viewer;
    for (const kind of ['pointermove', 'keydown', 'focusin', 'wheel']) {
      viewer.addEventListener(kind, () => this.#wake());
    }
    viewer.addEventListener('pointerdown', ({ pointerType }) => {
      this.isWaking = pointerType === 'touch' && viewer.classList.contains('idle');
      this.#wake();
    }, { capture: true });
    viewer.addEventListener('click', (event) => {
      if (!this.isWaking) return;
      this.isWaking = false;
      event.preventDefault();
      event.stopPropagation();
    }, { capture: true });
    this.#wake();
  }

  #wake() {
    this.viewer.classList.remove('idle');
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      const hasFocus = this.viewer.querySelector('.control:focus-visible, .control :focus-visible') !== null;
      this.viewer.classList.toggle('idle', !hasFocus && !stillness.matches);
    }, restingTime);
  }

  close() {
    clearTimeout(this.resting);
  }
}
