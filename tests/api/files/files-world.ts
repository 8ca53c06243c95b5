/** Uploading and fetching files through the API, as browsers and players do. */
import { createJourneysWorld } from '#tests/api/journeys/journeys-world.ts'

export type FilesWorld = Awaited<ReturnType<typeof createFilesWorld>>
type Where = { sub?: string; range?: string }

export async function createFilesWorld() {
  const world = await createJourneysWorld()
  const admin = await world.database.connectAdmin()
  type Who = keyof typeof world.people

  const ask = (who: Who, path: string, init: RequestInit, { sub, range }: Where = {}) => {
    const principal = world.people[who]
    const headers = {
      authorization: `Bearer ${who}`,
      'x-tenant-id': principal.tenant_id,
      ...(sub && { 'x-sub-tenant-id': sub }),
      ...(range && { range }),
    }
    const request = new Request(`http://api.test/api/v1${path}`, { ...init, headers })
    return world.api.fetch(request, { caller: { token: who, principal } })
  }

  return {
    ...world,
    admin,
    async upload(who: Who, bytes: Uint8Array, type: string, name: string, where: Where = {}) {
      const body = new FormData()
      body.set('file', new File([new Uint8Array(bytes)], name, { type }))
      const answer = await ask(who, '/files', { method: 'POST', body }, where)
      return { status: answer.status, json: await answer.json() }
    },
    fetchFile: async (who: Who, src: string, where: Where = {}) => {
      const answer = await ask(who, src, {}, where)
      return {
        status: answer.status,
        headers: answer.headers,
        bytes: Buffer.from(await answer.arrayBuffer()),
      }
    },
    /** Makes the file look as if it had been uploaded 25 hours ago. */
    age: (src: string) =>
      admin.query(`update files set created_on = now() - interval '25 hours' where id = $1`, [
        src.slice(-36),
      ]),
    drop: world.drop,
  }
}
