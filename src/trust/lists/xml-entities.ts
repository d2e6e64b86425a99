/**
 * XML's five entities (XML 1.0 section 4.6). wrangler.toml builds this file into the Worker in the place of
 * `@xmldom/xmldom/lib/entities.js`, whose HTML entities no XML document has.
 */
// no prototype: "&constructor;" is not an entity
export const XML_ENTITIES = Object.freeze({ __proto__: null, amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' });
/** Asked for HTML only. */
export const HTML_ENTITIES = undefined;
