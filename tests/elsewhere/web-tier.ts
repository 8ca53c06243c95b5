/** The screens alone, in a separate process in front of the other server, and people who sign in there. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLIENT, type ForeignProvider, startForeignProvider } from '#tests/fakes/foreign-provider.ts'
import { leadingAway, passThrough } from '#tests/screens/sign-in/foreign-pages.ts'
import { freePort, type Running, startProcess, stopProcess } from '#tests/support/process.ts'
import { Visitor } from '#tests/support/visitor.ts'
import { type Elsewhere, startElsewhere } from './server.ts'
import type { Kind } from './world.ts'

export type Under = 'start' | 'serve:web'
export const SECRET = 'a secret of the screens, long enough'

export type WebTier = {
  origin: string
  server: Elsewhere
  provider: ForeignProvider
  running: Running
  /** A person of the other server, signed in. */
  visitor(first_name: string): Promise<Visitor>
  close(): Promise<void>
}

export async function openWebTier(
  under: Under,
  kind: Kind,
  env: Record<string, string> = {},
): Promise<WebTier> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const [server, provider] = await Promise.all([startElsewhere(kind), startForeignProvider(origin)])
  server.pool = {
    userPoolId: provider.issuer,
    userPoolWebClientId: CLIENT.client_id,
    tenantId: server.world.tenants[0]?.id,
  }
  for (const { sub, email } of server.world.people)
    await provider.addAccount(sub, { email, email_verified: true })
  const folder = mkdtempSync(join(tmpdir(), 'liftwell-web-'))
  const running = await startProcess(
    folder,
    port,
    {
      DATABASE_URL: '',
      PUBLIC_ORIGIN: '',
      API_BASE_URL: server.origin,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      APP_SECRET: SECRET,
      ...env,
    },
    under,
  )
  return {
    origin,
    server,
    provider,
    running,
    async visitor(first_name) {
      const visitor = new Visitor(origin)
      await signIn(visitor, provider, first_name)
      return visitor
    },
    async close() {
      await stopProcess(running)
      await Promise.all([server.close(), provider.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the page on which the sign-in has ended. */
export async function signIn(
  visitor: Visitor,
  provider: ForeignProvider,
  first_name: string,
  path = '/login',
) {
  const name = first_name.toLowerCase()
  const away = await visitor.follow(await visitor.submit(path, { email: `${name}@acme.example` }))
  const address = leadingAway(away.html)
  if (!address)
    throw new Error(
      `sign-in does not lead away: ${away.path} ${away.response.status} ${away.html.replace(/<[^>]+>/g, ' ').slice(0, 600)}`,
    )
  const back = await passThrough(visitor, new Visitor(provider.issuer), address, `sub-${name}`)
  return visitor.follow(await visitor.visit(back))
}
