/** XML's five entities, which wrangler.toml puts in the place of `@xmldom/xmldom/lib/entities.js`. */
// no prototype: "&constructor;" is not an entity
export const XML_ENTITIES = Object.freeze({ __proto__: null, amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' });
/** Asked for HTML only. */
export const HTML_ENTITIES = undefined;
