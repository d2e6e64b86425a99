/** Where a PSP has its page. */
export const PSPS = "/console/psps";

/** `number`: in normal form. */
export const addressOfPsp = (number: string): string => `${PSPS}/${encodeURIComponent(number)}`;
