/** Opens the port of the process. Imports only Node's own modules, because it runs before the build. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Resolves to the port. Rejects with a sentence that says what to do. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(startError(whyNot(error, port, host))))
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

function whyNot({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use by another program. Stop it, or set PORT to another number.`
  if (code === 'EACCES') return `No permission to listen on port ${port}. Set PORT to a number above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}. Set HOST to one.`
  return `Cannot listen on ${host}:${port}: ${message}`
}

/** The address at which the process reaches itself. */
export function ownAddress(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`
}

const startError = (text: string): Error => Object.assign(new Error(text), { name: 'StartError' })
