/** Whether the data of an error response has a field of that name. */
export const says = <Name extends string>(data: unknown, name: Name): data is Record<Name, unknown> =>
  typeof data === 'object' && data !== null && name in data
