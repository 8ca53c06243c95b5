/** Checks of typed addresses in a process with an https origin. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPair, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { askOutside, isPublicAddress, requireOutside } from '#app/auth/outside.server.ts'
import type { Pool } from '#app/auth/pools/pools.server.ts'
import { ProviderAwayError } from '#app/auth/principal.ts'
import { verifyIdToken } from '#app/auth/tokens.server.ts'

process.env.PUBLIC_ORIGIN = 'https://liftwell.example'

it('rejects addresses without https, and private addresses in any notation', () => {
  for (const address of [
    'http://example.com',
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://0177.0.0.1',
    'https://10.1.2.3',
    'https://172.31.255.255',
    'https://192.168.0.1:8443/x',
    'https://169.254.169.254/latest/meta-data',
    'https://100.100.100.200',
    'https://0.0.0.0',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:a00:1]',
    'https://[fd00:ec2::254]',
    'https://[fe80::1]',
    'https://[64:ff9b::7f00:1]',
    'https://[2002:7f00:1::]',
    'https://me:secret@example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'nonsense',
  ])
    expect(() => requireOutside(address), address).toThrow()
  expect(requireOutside('https://example.com/x').host).toBe('example.com')
})

it('tells public IP addresses from private and special ones', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111'])
    expect(isPublicAddress(address)).toBe(true)
  for (const address of ['224.0.0.1', '255.255.255.255', '::', 'ff02::1', 'localhost', '2001:db8::1'])
    expect(isPublicAddress(address)).toBe(false)
})

it('does not connect to a host name that resolves to this machine', async () => {
  let asked = 0
  const server = createServer((_req, res) => {
    asked += 1
    res.end()
  })
  server.on('connection', () => (asked += 1))
  await new Promise<void>((done) => server.listen(0, () => done()))
  const { port } = server.address() as AddressInfo
  await expect(askOutside(`https://localhost:${port}/`)).rejects.toThrow(
    'localhost is not on the public internet.',
  )
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'RS256', kid: 'x' })
    .sign((await generateKeyPair('RS256')).privateKey)
  const inside = { authorization_endpoint: '', jwks_uri: `https://localhost:${port}/keys` }
  const pool = {
    kind: 'oidc',
    issuer: 'https://idp.example',
    client_id: 'c',
    settings: inside,
  } as unknown as Pool
  await expect(verifyIdToken(pool, token, null)).rejects.toThrow(ProviderAwayError)
  expect(asked).toBe(0)
  server.close()
})
