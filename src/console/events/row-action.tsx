import type { Child } from "hono/jsx";
import { type Chosen, ChosenField } from "../chosen-institution.tsx";
import { FormToken } from "../frame.tsx";
import type { Visit } from "../page.ts";
import type { Reader } from "../reader.ts";

interface RowActionProps {
  readonly visit: Visit<Reader>;
  readonly fi: Chosen;
  /** Where the form goes, with the row's one field. */
  readonly path: string;
  readonly name: string;
  readonly value: string;
  /** Read aloud behind the button's text, which every row has. */
  readonly about: string;
  readonly children?: Child;
}

/** The form in a table's row: a button that does one thing with what the row shows. */
export const RowAction = ({ visit, fi, path, name, value, about, children }: RowActionProps) => (
  <form method="post" action={visit.href(path)}>
    <FormToken visit={visit} />
    <ChosenField fi={fi} />
    <input type="hidden" name={name} value={value} />
    <button type="submit" class="quiet">
      {children} <span class="out">{about}</span>
    </button>
  </form>
);
