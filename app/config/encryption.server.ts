/** Connections to other machines must be encrypted. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.+\.localhost)$/i

/** Whether a host, as a URL has it (IPv6 in brackets), is this machine. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname)

export const encryptionProblems = (name: string, { protocol, hostname }: URL): [string, string][] =>
  protocol === 'https:' || isLoopback(hostname)
    ? []
    : [[name, 'must be https, except on this machine itself']]
