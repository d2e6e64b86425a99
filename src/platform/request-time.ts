/** ISO 8601 in UTC of the instant of a request, which its log line, its record and its answer say: Date takes 3 µs for each. */

let known = { second: Number.NaN, text: "" };

/** As `Date.toISOString` writes it. `time`: milliseconds since 1970; one of the second before costs nothing but its digits. */
export function writeRequestTime(time: number): string {
  const second = Math.floor(time / 1000);
  if (second !== known.second) known = { second, text: new Date(second * 1000).toISOString().slice(0, -"000Z".length) };
  return `${known.text}${String(time - second * 1000).padStart(3, "0")}Z`;
}

let read = { text: "", second: Number.NaN };

/** Milliseconds since 1970 of what {@link writeRequestTime} has written. */
export function readRequestTime(text: string): number {
  const upToSecond = text.slice(0, -"000Z".length);
  if (upToSecond !== read.text) read = { text: upToSecond, second: Date.parse(`${upToSecond}000Z`) };
  return read.second + Number(text.slice(-"000Z".length, -"Z".length));
}
