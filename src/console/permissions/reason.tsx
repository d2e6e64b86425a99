/** Why somebody withdraws or blocks, in their words: kept beside the permission or block, and in no record. */
import { textOf } from "../forms.ts";
import { PageProblem } from "../page.ts";

const MAX_CHARACTERS = 200;

export const ReasonField = ({ value }: { value?: string | undefined }) => (
  <label class="field">
    Why{" "}
    <span class="hint">
      if you like, up to {MAX_CHARACTERS} characters: your colleagues read it here, and it is not in the evidence
    </span>
    <input name="reason" maxlength={MAX_CHARACTERS} value={value} autocomplete="off" />
  </label>
);

/** Null: none is given. Throws {@link PageProblem}. */
export function readReason(form: FormData): string | null {
  const reason = textOf(form, "reason").trim();
  if ([...reason].length > MAX_CHARACTERS)
    throw new PageProblem({
      status: 400,
      code: "reason_too_long",
      heading: "The reason is too long",
      text: `It has more than ${MAX_CHARACTERS} characters, so nothing was done. Go back and shorten it.`,
    });
  return reason === "" ? null : reason;
}
