// Numbers and foreign text, formatted for display.

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** 1234567 → "1.2 MB". */
export function bytes(count) {
  let unit = 0;
  let value = count;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit > 0 && value < 99.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** A rate in bytes per second; empty below one byte. */
export function rate(bytesPerSecond) {
  return bytesPerSecond >= 1 ? `${bytes(bytesPerSecond)}/s` : '';
}

/** 1234 → "1,234". */
export function number(count) {
  return count.toLocaleString('en-US');
}

/** "3 records", "1 record". */
export function counted(count, noun) {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A number of seconds as "0:42", "3:04:05" or "5 d". */
export function duration(seconds) {
  if (!(seconds >= 0) || seconds > 86_400_000) return '';
  const total = Math.ceil(seconds);
  if (total >= 86_400) return `${Math.floor(total / 86_400)} d`;
  const padded = (value) => String(value).padStart(2, '0');
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor(total / 60) % 60;
  return hours > 0
    ? `${hours}:${padded(minutes)}:${padded(total % 60)}`
    : `${minutes}:${padded(total % 60)}`;
}

/**
 * Text of a server or a file, with control characters and directional overrides made visible: they could
 * hide a part of a name or reverse it.
 */
export function visible(text) {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (character) => `⟨U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}
