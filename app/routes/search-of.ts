/** The search parameters of a URL as input of a schema. */
export const searchOf = (request: Request) => Object.fromEntries(new URL(request.url).searchParams)
