/** The pages of the console, in the order of the menu. A page is one entry here and one file. */
import { checkPage } from "./check/check-form.tsx";
import { oneResultPage, resultPage } from "./check/result-page.tsx";
import { acknowledgePage, replayPage } from "./events/changes.ts";
import { eventsPage } from "./events/events-page.tsx";
import { documentPage, proofPage } from "./evidence/documents.tsx";
import { evidencePage } from "./evidence/evidence-page.tsx";
import { recordPage } from "./evidence/record-page.tsx";
import { institutionsPage } from "./institutions/institutions-page.tsx";
import { rotationPage } from "./institutions/rotation-page.tsx";
import { institutionStatusPage } from "./institutions/status-page.tsx";
import type { Page } from "./page.ts";
import { actsPage } from "./people/acts-page.tsx";
import { peoplePage } from "./people/people-page.tsx";
import { endSessionsPage, erasurePage } from "./people/person-changes.tsx";
import { blockPage, unblockPage } from "./permissions/block-page.tsx";
import { permissionsPage } from "./permissions/permissions-page.tsx";
import { withdrawalPage } from "./permissions/withdrawal-page.tsx";
import { pspPage } from "./psps/psp-page.tsx";
import { pspsPage } from "./psps/psps-page.tsx";
import { unwatchPage, watchPage } from "./psps/watching.ts";
import { READ } from "./roles.ts";
import { sandboxPage } from "./sandbox/certificate-page.tsx";
import { signIn, signOut } from "./sign-in/credentials-page.tsx";
import { linkSignIn } from "./sign-in/link-page.tsx";
import { signInAsOperator } from "./sign-in/local-readers.tsx";
import { beginSignIn, finishSignIn, institutionSignIn } from "./sign-in/provider-page.tsx";
import { backChannelLogout } from "./sign-in/provider-sign-out.tsx";
import { registerSearchPage } from "./sources/search-page.tsx";
import { sourcesPage } from "./sources/sources-page.tsx";
import { trafficPage } from "./traffic/traffic-page.tsx";
import { webhookPages } from "./webhooks/webhooks-page.tsx";

/** Leads to the first page of the reader's menu. */
const consoleStart: Page = {
  path: "/console",
  menu: null,
  roles: READ,
  get: async ({ c, href, menu }) => c.redirect(href(menu[0]?.path ?? "/console/sources"), 303),
};

export const PAGES: readonly Page[] = [
  checkPage,
  resultPage,
  oneResultPage,
  pspsPage,
  watchPage,
  unwatchPage,
  pspPage,
  permissionsPage,
  withdrawalPage,
  blockPage,
  unblockPage,
  evidencePage,
  recordPage,
  proofPage,
  documentPage,
  eventsPage,
  acknowledgePage,
  replayPage,
  ...webhookPages,
  sourcesPage,
  registerSearchPage,
  peoplePage,
  actsPage,
  endSessionsPage,
  erasurePage,
  trafficPage,
  institutionsPage,
  rotationPage,
  institutionStatusPage,
  sandboxPage,
  consoleStart,
  signIn,
  signInAsOperator,
  institutionSignIn,
  beginSignIn,
  finishSignIn,
  linkSignIn,
  backChannelLogout,
  signOut,
];
