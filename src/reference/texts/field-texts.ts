/** Texts by path; `""` is the path of the schema itself. */
export type FieldTexts = Readonly<Record<string, string>>;

/** The texts, with a place in front of each path. */
export const at = (place: string, texts: FieldTexts): FieldTexts =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${place}.${path}`, text]));
