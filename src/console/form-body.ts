/** The body of a form, limited while it is read: a body with a wrong or missing Content-Length is limited, too. */
import type { Context } from "hono";
import type { AppEnv } from "../http/context.ts";
import { PageProblem } from "./page-problem.ts";

/** Throws {@link PageProblem}. */
export async function readFormBody(c: Context<AppEnv>, maxBytes: number): Promise<FormData> {
  const type = c.req.header("Content-Type") ?? "";
  if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type))
    throw new PageProblem({
      status: 400,
      code: "form_malformed",
      heading: "Not a form",
      text: "The request's Content-Type is not that of a form.",
    });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of (c.req.raw.body ?? []) as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  try {
    return await new Response(new Blob(chunks), { headers: { "Content-Type": type } }).formData();
  } catch {
    throw new PageProblem({
      status: 400,
      code: "form_malformed",
      heading: "The form cannot be read",
      text: "It is incomplete, or not in the form that its Content-Type names. Load the page again and repeat.",
    });
  }
}

const tooLarge = (maxBytes: number): PageProblem =>
  new PageProblem({
    status: 413,
    code: "form_too_large",
    heading: "Too much at once",
    text: `A form has at most ${maxBytes / 1024} KiB. Send fewer or smaller files.`,
  });

/** The text of a field; "" if it is absent or a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
