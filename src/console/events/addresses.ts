/** The page of events, and where its forms lead. */
import { CONSOLE_FORMS } from "../../http/endpoints.ts";

export const EVENTS = "/console/events";
export const ACKNOWLEDGE = `${EVENTS}/acknowledge`;
export const WATCH = CONSOLE_FORMS.watch.path;
export const UNWATCH = CONSOLE_FORMS.unwatch.path;
export const REPLAY = `${EVENTS}/replay`;
