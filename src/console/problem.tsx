/** What is wrong with what was typed: read aloud at once, and by the fields that name it (`aria-describedby="problem"`). */
import type { Child } from "hono/jsx";

/** Nothing without a problem. */
export const Problem = ({ children }: { children?: Child }) =>
  children === null || children === undefined ? null : (
    <p class="notice no" role="alert" id="problem">
      <span>{children}</span>
    </p>
  );
