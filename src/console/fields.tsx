/** Fields of forms, and the form above a list. */
import type { Child } from "hono/jsx";
import { HiddenFields, Problem } from "./elements.tsx";

interface FilterFormProps {
  readonly action: string;
  /** What is sent besides, such as the institution that an operator has chosen. */
  readonly values?: Readonly<Record<string, string>>;
  /** A sentence. */
  readonly problem?: string | null;
  readonly button?: string;
  readonly children?: Child;
}

/** By GET, so that what is found has an address for colleagues. */
export const FilterForm = ({ action, values = {}, problem, button = "Search", children }: FilterFormProps) => (
  <>
    <Problem>{problem}</Problem>
    <search>
      <form action={action} class="card row">
        <HiddenFields values={values} />
        {children}
        <button type="submit">{button}</button>
      </form>
    </search>
  </>
);

interface FieldProps {
  readonly label: string;
  readonly hint?: string | false;
  readonly name: string;
  /** Values by name, such as the parameters of the address. */
  readonly given?: Readonly<Record<string, string | undefined>>;
}

interface TextFieldProps extends FieldProps {
  readonly required?: boolean;
  /** The form's problem may be about it. */
  readonly told?: boolean;
}

export const TextField = ({ label, hint, name, given = {}, required, told = false }: TextFieldProps) => (
  <label class="field wide">
    {label} {hint && <span class="hint">{hint}</span>}
    <input
      {...{ name, required, value: given[name], spellcheck: false, autocapitalize: "none", autocomplete: "off" }}
      aria-describedby={told ? "problem" : undefined}
    />
  </label>
);

export const DayField = ({ label, hint, name, given = {} }: FieldProps) => (
  <label class="field">
    {label} {hint && <span class="hint">{hint}</span>}
    <input type="date" name={name} value={given[name]} />
  </label>
);

interface ChoiceFieldProps extends FieldProps {
  readonly choices: readonly (readonly [value: string, words: string])[];
  /** Further ones. */
  readonly children?: Child;
}

export const ChoiceField = ({ label, name, given = {}, choices, children }: ChoiceFieldProps) => (
  <label class="field">
    {label}
    <select name={name}>
      {choices.map(([value, words]) => (
        <option value={value} selected={value === (given[name] ?? "")}>
          {words}
        </option>
      ))}
      {children}
    </select>
  </label>
);
