/** What the address asks for, as the schema of a search takes it. */
export const searchOf = (request: Request) => Object.fromEntries(new URL(request.url).searchParams)
