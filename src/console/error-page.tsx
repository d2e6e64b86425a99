/** Errors inside the console are pages, with the request's id by which the operator finds the log line. */
import type { Context } from "hono";
import { html } from "hono/html";
import type { AppEnv } from "../http/context.ts";
import { CATALOGUE } from "../http/errors/error-response.ts";
import { ApiError } from "../http/errors/errors.ts";
import { StoreError } from "../platform/stores.ts";
import { BareFrame, Frame, findSurroundings, setPageHeaders } from "./frame.tsx";
import { linksOf, PageProblem } from "./page.ts";
import { showForeignText } from "./wording.ts";

interface Shown {
  readonly status: number;
  readonly code: string;
  readonly heading: string;
  readonly text: string;
}

/** Answers with a page that says what happened. What is not for readers is logged only. */
export async function answerPageError(c: Context<AppEnv>, error: Error): Promise<Response> {
  setPageHeaders(c);
  const shown = describe(c, error);
  c.set("outcome", shown.code);
  const headers = error instanceof PageProblem || error instanceof ApiError ? error.headers : {};
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  c.status(shown.status as 400);
  return c.html(showForeignText(await html`<!doctype html>${<ErrorPage c={c} shown={shown} />}`));
}

function describe(c: Context<AppEnv>, error: Error): Shown {
  if (error instanceof PageProblem) return error.fault;
  if (error instanceof ApiError) {
    const [problem] = error.problems;
    const entry = problem && CATALOGUE.get(problem.code);
    return {
      status: problem?.status ?? entry?.statuses[0] ?? 500,
      code: problem?.code ?? "internal_error",
      heading: entry?.title ?? "Something went wrong",
      text: problem?.title ?? "",
    };
  }
  const { requestId } = c.var;
  if (error instanceof StoreError) {
    console.error(JSON.stringify({ request_id: requestId, error: error.message }));
    return {
      status: 503,
      code: "temporarily_unavailable",
      heading: "Part of the service cannot be reached",
      // a form may have been carried out, and its answer lost
      text:
        c.req.method === "POST"
          ? "Whether what you asked for was done is not known. Look before you send the form again."
          : "What this page needs could not be read. Load it again in a moment.",
    };
  }
  console.error(JSON.stringify({ request_id: requestId, error: error.message, stack: error.stack }));
  return {
    status: 500,
    code: "internal_error",
    heading: "Something went wrong",
    text: "The fault is the service's own. Its operator finds the cause in the log by the request's id.",
  };
}

/** With the menu of the reader, unless finding them is what failed. */
function ErrorPage({ c, shown: { status, heading, text } }: { c: Context<AppEnv>; shown: Shown }) {
  const href = linksOf(c);
  const visit = findSurroundings(c);
  const content = (
    <>
      {text && <p>{text}</p>}
      <p class="muted">
        Status {status}, request <code>{c.var.requestId}</code>
      </p>
      <p>
        <a href={href("/console")}>Back to the console</a>
      </p>
    </>
  );
  if (visit)
    return (
      <Frame visit={visit} title={heading} narrow={true}>
        {content}
      </Frame>
    );
  return (
    <BareFrame title={heading} href={href}>
      {content}
    </BareFrame>
  );
}
