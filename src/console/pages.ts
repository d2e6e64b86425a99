/** The pages of the console, in the order of the menu. A page is one entry here and one file. */
import { consoleStart } from "./start.ts";
import type { Page } from "./page.ts";
import { signIn } from "./sign-in.tsx";
import { signInAsOperator, signOut } from "./sign-out.ts";

export const PAGES: readonly Page[] = [consoleStart, signIn, signInAsOperator, signOut];
