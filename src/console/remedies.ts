/** What is done about each error code, and by whom. Computed when the Worker is built: the other texts stay out of it. */
import { pickOfEach } from "../http/errors/every-code.ts";

export const REMEDIES = pickOfEach("cure", "whose");
