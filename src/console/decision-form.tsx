/** The form that asks whether to do something: nothing is done until its button, and a link leads back. */
import type { Child } from "hono/jsx";
import { HiddenFields } from "./elements.tsx";
import { FormToken } from "./frame.tsx";
import type { Reader, Visit } from "./page.ts";

interface DecisionFormProps {
  readonly visit: Visit<Reader>;
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
  readonly button: string;
  /** What can be undone is no danger. */
  readonly isDanger?: boolean;
  readonly back: string;
  /** The words of the link. */
  readonly keep: string;
  readonly children?: Child;
}

export const DecisionForm = (props: DecisionFormProps) => (
  <form method="post" action={props.visit.href(props.path)} class="card stack">
    {props.children}
    <FormToken visit={props.visit} />
    <HiddenFields values={props.values} />
    <p class="row">
      <button type="submit" class={props.isDanger === false ? undefined : "danger"}>
        {props.button}
      </button>
      <a class="button second" href={props.visit.href(props.back)}>
        {props.keep}
      </a>
    </p>
  </form>
);
