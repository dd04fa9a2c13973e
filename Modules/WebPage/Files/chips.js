// Chips: buttons of which one is chosen, each with a number.

import { element } from './elements.js';
import { number } from './text.js';

export class Chips {
  /**
   * @param {Record<string, string>} texts The texts of the chips by their values, the first of which is the usual one.
   * @param {(value: string) => void} onChoose Called when the user chooses.
   */
  constructor(label, texts, onChoose) {
    this.chips = Object.entries(texts).map(([value, text]) => element('button', {
      type: 'button', className: 'chip', dataset: { value }, onclick: () => onChoose(value),
    }, [element('span', { textContent: text }), element('span', { className: 'count' })]));
    this.element = element('div', { className: 'chips', role: 'group', ariaLabel: label }, this.chips);
  }

  /** Shows the chosen value and the numbers; a chip that would show nothing is hidden, unless it is chosen. */
  show(chosen, counts) {
    this.chips.forEach((chip, place) => {
      const { value } = chip.dataset;
      chip.ariaPressed = value === chosen;
      chip.lastChild.textContent = number(counts[value] ?? 0);
      chip.hidden = place > 0 && value !== chosen && !counts[value];
    });
  }
}
