/** What an answer says of each error code. Computed when the Worker is built, without the rest of the catalogue. */
import { pickOfEach } from "./every-code.ts";

export const ANSWERED = pickOfEach("statuses", "title");
