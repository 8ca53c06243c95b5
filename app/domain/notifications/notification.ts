import { z } from 'zod'
import { pageNumber } from '../page.ts'

export const NOTIFICATION_TYPES = ['warning', 'success', 'launch', 'info'] as const
export const NOTIFICATIONS_PER_PAGE = 10

/** `path` leads to the subject: a page of ours, never another site. */
export const NotificationContent = z.object({
  title: z.string(),
  message: z.string(),
  path: z
    .string()
    .regex(/^\/(?![/\\])[\w/-]*$/)
    .optional(),
})
export const Notification = z.object({
  id: z.number().int(),
  content: NotificationContent,
  notification_type: z.enum(NOTIFICATION_TYPES),
  has_read: z.boolean(),
  created_on: z.string(),
})
export type Notification = z.infer<typeof Notification>

/** With the time in words for its reader. */
export type StampedNotification = Notification & { stamp: string }
/** The newest notifications; page `next` of the list has the older ones. */
export type Told = {
  notifications: StampedNotification[]
  unread: number
  /** More may be unread than the number says. */
  is_capped: boolean
  next: number | null
}

export const NotificationPage = z.object({
  data: z.array(Notification),
  pagination: z.object({
    current_page: z.number().int(),
    total_pages: z.number().int(),
    /** Only from another server, which has no count: whether later pages may contain unread ones, too. */
    is_capped: z.boolean().optional(),
  }),
  unread: z.number().int(),
})
export type NotificationPage = z.infer<typeof NotificationPage>

export const NotificationQuery = z.object({
  page: pageNumber,
  limit: z.coerce.number().int().min(1).max(100).default(NOTIFICATIONS_PER_PAGE),
})
export const NotificationsRead = z.strictObject({
  notification_ids: z.array(z.number().int().positive()).max(1000),
  has_read: z.literal(true),
})
