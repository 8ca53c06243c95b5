/** What leaves this machine is encrypted. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.+\.localhost)$/i

/** A host as URLs have it: IPv6 in brackets. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname)

export const encryptionProblems = (name: string, { protocol, hostname }: URL): [string, string][] =>
  protocol === 'https:' || isLoopback(hostname)
    ? []
    : [[name, 'must be https, except on this machine itself']]
