/** The pages of the console, in the order of the menu. A page is one entry here and one file. */
import { checkPage } from "./check/check-form.tsx";
import { oneResultPage, resultPage } from "./check/result-page.tsx";
import type { Page } from "./page.ts";
import { signIn } from "./sign-in.tsx";
import { signInAsOperator, signOut } from "./sign-out.ts";
import { consoleStart } from "./start.ts";

export const PAGES: readonly Page[] = [
  checkPage,
  resultPage,
  oneResultPage,
  consoleStart,
  signIn,
  signInAsOperator,
  signOut,
];
