/** What ends a request for a page, shown as a page (error-page.tsx). The API's errors are errors.ts. */

export interface PageFault {
  readonly status: 400 | 403 | 404 | 405 | 409 | 413 | 429 | 500 | 503;
  /** Of the log line. */
  readonly code: string;
  readonly heading: string;
  /** What happened, and what to do. */
  readonly text: string;
}

export class PageProblem extends Error {
  override readonly name = "PageProblem";
  readonly fault: PageFault;
  readonly headers: Readonly<Record<string, string>>;

  constructor(fault: PageFault, headers: Record<string, string> = {}) {
    super(fault.code);
    this.fault = fault;
    this.headers = headers;
  }
}

export const pageNotFound = (): PageProblem =>
  new PageProblem({
    status: 404,
    code: "page_not_found",
    heading: "No such page",
    text: "Nothing is here for you: the address is wrong, what it showed has expired, or it belongs to someone else.",
  });
