/** The page of events, and where its forms lead. */
export const EVENTS = "/console/events";
export const ACKNOWLEDGE = `${EVENTS}/acknowledge`;
export const WATCH = `${EVENTS}/watch`;
export const UNWATCH = `${EVENTS}/unwatch`;
export const REPLAY = `${EVENTS}/replay`;
