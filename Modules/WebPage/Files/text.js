// Numbers and foreign text, formatted for display.

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** A number of bytes as "1.2 MB". */
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

const numbers = new Intl.NumberFormat('en-US');

/** A number as "1,234". */
export function number(count) {
  return numbers.format(count);
}

/** Decodes a base64 text to bytes. */
export function fromBase64(text) {
  return Uint8Array.fromBase64?.(text)
    ?? Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Encodes bytes as a base64 text. */
export function toBase64(bytes) {
  return bytes.toBase64?.() ?? btoa(String.fromCharCode(...bytes));
}

/** A count and its noun: "3 records", "1 record"; `plural` if it is irregular. */
export function counted(count, noun, plural = `${noun}s`) {
  return `${number(count)} ${count === 1 ? noun : plural}`;
}

/** A number of milliseconds as "42 ms" or "1.23 s"; empty if it is unknown. */
export function milliseconds(count) {
  if (count === undefined) return '';
  return count < 999.5 ? `${Math.round(count)} ms` : `${(count / 1000).toFixed(2)} s`;
}

/** The name of a resource: its title, or the name of its file without the number, or the end of its URL. */
export function nameOf({ title, file, url }) {
  if (title) return title;
  const name = file?.name.split('/').pop();
  if (name) return name.replace(/^\d+-(?=.)/, '');
  return url.split(/[?#]/)[0].split('/').filter(Boolean).pop() ?? url;
}

/** The host of a URL; empty for a file. */
export function hostOf(url) {
  return /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(url)?.[1] ?? '';
}

/**
 * A line of a CSV file (RFC 4180). A text that a spreadsheet would compute gets an apostrophe: it may come
 * from a server.
 */
export function csv(values) {
  return `${values.map((value) => {
    let text = value === undefined || value === null ? '' : String(value);
    if (typeof value === 'string' && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }).join()}\r\n`;
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
 * Text of a server or a file, with control characters and directional overrides made visible, as they could
 * hide or reverse a part of a name.
 */
export function visible(text) {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (character) => `⟨U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}
