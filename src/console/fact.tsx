/** A name and its value, in a list of facts. */
import type { Child } from "hono/jsx";

export const Fact = ({ name, children }: { name: string; children?: Child }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
