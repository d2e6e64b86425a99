/** "Try it": a form that assets/reference.js sends to the service that the page is of. */
import { html } from "hono/html";
import type { OpenApiParameter } from "./open-api.ts";
import type { Markup } from "./page.ts";
import type { Fill } from "./sandbox-fill.ts";

interface Tried {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly OpenApiParameter[];
  readonly example: unknown;
}

export const makeTryForm = (
  { method, path, parameters, example }: Tried,
  authenticated: boolean,
  fill: Fill | null,
): Markup => {
  const optional = parameters.filter(({ required }) => !required);
  return html`<form class="try" data-method="${method}" data-path="${path}">
${
  authenticated &&
  html`<label>Client id<input name="client_id" autocomplete="off" value="${fill?.username ?? ""}"></label>
<label>Secret<input name="secret" type="password" autocomplete="off" value="${fill?.password ?? ""}"></label>`
}
${parameters.filter(({ required }) => required).map(makeInput)}
${example !== undefined && html`<label class="wide">Body<textarea name="body" rows="${Math.min(3, JSON.stringify(example, null, 2).split("\n").length)}" spellcheck="false">\n${JSON.stringify(example, null, 2)}</textarea></label>`}
${
  optional.length > 0 &&
  html`<details class="wide"><summary>${optional.length} optional</summary><div class="inputs">${optional.map(makeInput)}</div></details>`
}
<p class="wide"><button disabled>Send</button> <span>to this service. What you type is kept nowhere.</span></p>
<noscript><p class="wide">The form needs a script. The code samples do without.</p></noscript>
<div class="wide result" role="status"></div>
</form>`;
};

/** What may be left out is empty, and shows an example. A certificate may have line breaks. */
function makeInput({ name, in: place, required = false, schema, example = "" }: OpenApiParameter): Markup {
  const values = schema.enum;
  const field = values
    ? html`<select name="${name}" data-in="${place}">${!required && html`<option></option>`}${values.map((value) => html`<option${value === example && " selected"}>${value}</option>`)}</select>`
    : (schema.maxLength ?? 0) > 1_000
      ? html`<textarea name="${name}" data-in="${place}" rows="1" spellcheck="false"${required && " required"}>${required ? example : ""}</textarea>`
      : html`<input name="${name}" data-in="${place}" autocomplete="off" spellcheck="false"${required && " required"} ${required ? "value" : "placeholder"}="${example}">`;
  return html`<label>${name}${field}</label>\n`;
}
