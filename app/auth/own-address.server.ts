/**
 * Where this process listens. The back channel to a provider that it serves itself stays on the machine,
 * however the public origin is reached.
 */
let address: string | undefined

export function setOwnAddress(url: string | undefined): void {
  address = url && new URL(url).origin
}

export const getOwnAddress = (): string | undefined => address
