/** How many entries a list has in all, in words. A long list is counted up to a bound, so that no page reads a whole table. Pure. */

const COUNTED = 1_000;
/** One more, to find out whether there are more. */
export const COUNT_UP_TO = COUNTED + 1;

/** Such as `53`, `more than 1,000`. */
export const writeNumber = (length: number, counted = COUNTED): string =>
  length > counted ? `more than ${counted.toLocaleString("en")}` : length.toLocaleString("en");

/** Such as `53 events`, `One event`, `More than 1,000 events`. `noun`: of one, which takes an s. */
export const writeLength = (length: number, noun: string, counted = COUNTED): string =>
  length === 1 ? `One ${noun}` : `${writeNumber(length, counted).replace("more", "More")} ${noun}s`;
