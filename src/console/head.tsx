/** What every page begins with, also one that says what went wrong. */
import type { Child } from "hono/jsx";
import type { Href } from "./links.ts";

/** `children`: what else the page loads. */
export const Head = ({ title, href, children }: { title: string; href: Href; children?: Child }) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>{title} · psp-gate console</title>
    <link rel="icon" href={href("/assets/console-icon.svg")} />
    <link rel="stylesheet" href={href("/assets/console.css")} />
    {children}
  </head>
);

export const Brand = ({ href }: { href: Href }) => (
  <a class="brand" href={href("/console")}>
    psp-gate <span>console</span>
  </a>
);
