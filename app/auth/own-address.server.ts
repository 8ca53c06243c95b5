/** Where this process listens: the back channel to its own provider stays on the machine. */
let address: string | undefined

export function setOwnAddress(url: string | undefined): void {
  address = url && new URL(url).origin
}

export const getOwnAddress = (): string | undefined => address
