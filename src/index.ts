export default { fetch: () => new Response("soon") };
