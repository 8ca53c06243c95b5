/** A second web process on the same database: a thread with its own modules, which share no memory with this one. */
import { once } from 'node:events'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { setSecret } from '#app/auth/seal.server.ts'
import { signedOutBefore } from '#app/auth/sign-out.server.ts'
import { findVisit } from '#app/auth/visit.server.ts'
import { connect } from '#app/db/connect.server.ts'

const ANSWERS = { findVisit, signedOutBefore }
type Answers = typeof ANSWERS
type Start = { url: string; secret: string }
type Asked = { name: keyof Answers; cookie: string }

const started: { anotherProcess?: Start } | null = workerData
if (parentPort && started?.anotherProcess) answer(parentPort, started.anotherProcess)

function answer(port: NonNullable<typeof parentPort>, { url, secret }: Start): void {
  setSecret(secret)
  const database = connect(url, { max: 2 })
  port.on('message', async ({ name, cookie }: Asked) => {
    const [pair = ''] = cookie.split(';')
    const request = new Request('http://localhost:3000/', { headers: { cookie: pair } })
    port.postMessage(await ANSWERS[name](request, database))
  })
  port.postMessage('ready')
}

export async function openAnotherProcess(start: Start) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { anotherProcess: start } })
  await once(worker, 'message')
  return {
    async ask<Name extends keyof Answers>(
      name: Name,
      cookie: string,
    ): Promise<Awaited<ReturnType<Answers[Name]>>> {
      worker.postMessage({ name, cookie } satisfies Asked)
      const [said] = await once(worker, 'message')
      return said
    },
    close: () => worker.terminate(),
  }
}
