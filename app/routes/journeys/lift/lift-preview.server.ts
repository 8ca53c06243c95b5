import type { ApiClient } from '#app/api/client.server.ts'
import { getTestPage } from '#app/api/contract/lifts.ts'
import { drawBlocks } from '#app/routes/lift/markdown.server.tsx'

export type LiftPreviewPage = Awaited<ReturnType<typeof readLiftPreview>>

export async function readLiftPreview(api: ApiClient, liftId: number) {
  const { blocks, ...lift } = await api(getTestPage, { id: liftId })
  return { lift: { ...lift, blocks: [] }, blocks: drawBlocks(blocks) }
}
