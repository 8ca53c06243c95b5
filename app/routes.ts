/** The sitemap: every URL of the product, and the file that answers it. */
import { index, layout, prefix, type RouteConfig, route } from '@remix-run/route-config'

export default [
  // The HTTP API and the process's own addresses.
  route('api/*', 'routes/api.ts'),
  route('files/:tenantId/:fileId', 'routes/files.ts'),

  // Sign-in.
  layout('routes/auth/layout.tsx', [
    route('login', 'routes/auth/login.tsx'),
    route('login/:screen', 'routes/auth/authenticator.tsx'),
    route('lift/:liftId/enter', 'routes/auth/enter.tsx'),
  ]),
  route('invitation/:pool/:code', 'routes/auth/invitation.ts'),
  route('auth/start/:pool', 'routes/auth/start.ts'),
  route('auth/callback', 'routes/auth/callback.tsx'),
  route('logout', 'routes/auth/logout.tsx'),

  // Switching to another tenant or sub-tenant, and the bell, on every screen.
  route('switch', 'routes/switching/switch.tsx'),
  route('notifications/change', 'routes/notifications/change.ts'),
  route('notifications/more', 'routes/notifications/more.ts'),

  // Public pages that messages link to.
  layout('routes/lift/layout.tsx', [
    route('lift/:liftId', 'routes/lift/show.tsx'),
    route('lift/t/:liftId', 'routes/lift/test.tsx'),
  ]),

  route('unsubscribe/:token?', 'routes/unsubscribe/stop.tsx'),

  // Dashboard.
  layout('routes/dashboard/layout.tsx', [
    index('routes/dashboard/home.tsx'),
    route('error', 'routes/dashboard/error.tsx'),
    route('learner', 'routes/dashboard/learner.tsx'),
    route('testing', 'routes/testing/show.tsx'),
    route('testing/messages', 'routes/testing/messages.tsx'),
    route('testing/start-again', 'routes/testing/start-again.tsx'),
    route('todo', 'routes/dashboard/todo.tsx'),
    route('notifications', 'routes/notifications/list.tsx'),
    route('analytics', 'routes/analytics/show.tsx'),
    route('analytics/assessments', 'routes/analytics/assessments.tsx'),
    route('answers/:answerId/score', 'routes/sponsors/score.tsx'),
    route('analytics/explain', 'routes/analytics/explain.tsx'),
    route('analytics/exports', 'routes/analytics/exports.tsx'),
    route('analytics/exports/:exportId/file', 'routes/analytics/export-file.ts'),
    route('analytics/report', 'routes/analytics/report.tsx'),
    route('messages/unconfirmed', 'routes/messages/unconfirmed.tsx'),
    route('sponsors-journey', 'routes/sponsors/list.tsx'),
    route('sponsors-journey/:lljId', 'routes/sponsors/journey.tsx'),

    ...prefix('users', [
      index('routes/users/list.tsx'),
      route('add', 'routes/users/add.tsx'),
      route('edit/:userId', 'routes/users/edit.tsx'),
      route('edit/:userId/data', 'routes/privacy/download.ts'),
      route('import', 'routes/users/import.tsx'),
      route('import/:importId', 'routes/users/import-progress.tsx'),
      ...prefix('groups', [
        index('routes/users/groups/list.tsx'),
        route(':groupId', 'routes/users/groups/show.tsx'),
        route(':groupId/add', 'routes/users/groups/add.tsx'),
        route(':groupId/delete', 'routes/users/groups/delete.tsx'),
      ]),
      // Downloads.
      route('export', 'routes/users/export.ts'),
      route('import/template', 'routes/users/import-template.ts'),
      route('import/:importId/result', 'routes/users/import-result.ts'),
    ]),
    ...prefix('subtenants', [
      index('routes/subtenants/list.tsx'),
      route('add', 'routes/subtenants/add.tsx'),
      route('deleted', 'routes/subtenants/deleted.tsx'),
      route(':subTenantId/edit', 'routes/subtenants/edit.tsx'),
    ]),
    ...prefix('settings', [
      route('profile', 'routes/settings/profile.tsx'),
      route('sessions', 'routes/settings/sessions.tsx'),
      route('security', 'routes/settings/security.tsx'),
      route('security/app', 'routes/settings/security-app.tsx'),
      route('security/password', 'routes/settings/security-password.tsx'),
      route('company', 'routes/settings/company.tsx'),
      route('company/keys', 'routes/settings/keys.tsx'),
      route('company/keys/new', 'routes/settings/new-key.tsx'),
      route('company/keys/:keyId/revoke', 'routes/settings/revoke-key.tsx'),
      route('messages', 'routes/settings/messages.tsx'),
      route('contact', 'routes/privacy/contact.tsx', [route('remove', 'routes/privacy/remove-number.tsx')]),
      route('privacy', 'routes/privacy/privacy.tsx', [route('mails', 'routes/privacy/mails.tsx')]),
      route('privacy/data', 'routes/privacy/download.ts', { id: 'own-data' }),
      route('audit', 'routes/audit/list.tsx'),
      route('audit/export', 'routes/audit/export.ts'),
    ]),
    ...prefix('lljs', [
      layout('routes/journeys/layout.tsx', [
        route('manage', 'routes/journeys/manage/list.tsx', [
          route(':journeyId/archive', 'routes/journeys/manage/archive.tsx'),
          route(':journeyId/delete', 'routes/journeys/manage/delete.tsx'),
        ]),
        ...prefix('manage', [
          route('new', 'routes/journeys/manage/new.tsx'),
          route('import', 'routes/journeys/manage/import.tsx'),
          route(':journeyId/details', 'routes/journeys/details/edit.tsx', { id: 'manage-details' }),
          route(':journeyId/duplicate', 'routes/journeys/manage/duplicate.tsx'),
          route(':journeyId/author', 'routes/journeys/manage/author.tsx'),
        ]),
        route(':journeyId/details', 'routes/journeys/details/edit.tsx'),
        ...prefix(':journeyId/people', [
          index('routes/journeys/people/list.tsx'),
          route('add', 'routes/journeys/people/add.tsx'),
          route('import', 'routes/journeys/people/import.tsx'),
          route(':memberId', 'routes/journeys/people/edit.tsx'),
          route(':memberId/remove', 'routes/journeys/people/remove.tsx'),
        ]),
        route(':journeyId/schedule', 'routes/journeys/schedule/show.tsx', [
          route('launch', 'routes/journeys/schedule/launch.tsx'),
          route(':step', 'routes/journeys/schedule/step.tsx'),
        ]),
        route(':journeyId/schedule/preview', 'routes/journeys/schedule/preview.tsx'),
        route(':journeyId/schedule/lifts/new', 'routes/journeys/lift/new.tsx'),
        route(':journeyId/lifts/:liftId', 'routes/journeys/lift/edit.tsx', [
          route('delete', 'routes/journeys/lift/delete.tsx'),
        ]),
        ...prefix(':journeyId/lifts/:liftId', [
          route('blocks/:block', 'routes/journeys/lift/block.tsx'),
          route('prompts/:prompt', 'routes/journeys/lift/prompt.tsx'),
          route('test', 'routes/journeys/lift/test.tsx'),
          route('send', 'routes/journeys/lift/sending/send.tsx'),
          route('remind', 'routes/journeys/lift/sending/remind.tsx'),
        ]),
        route(':journeyId/objectives', 'routes/journeys/objectives/list.tsx', [
          route(':objectiveId/remove', 'routes/journeys/objectives/remove.tsx'),
        ]),
        route(':journeyId/objectives/:objectiveId', 'routes/journeys/objectives/edit.tsx'),
        route(':journeyId/file', 'routes/journeys/file.ts'),
        route(':journeyId/learner', 'routes/journeys/learner.tsx'),
        route(':journeyId/assessments', 'routes/assessments/list.tsx', [
          route('edit/:assessmentId/remove', 'routes/assessments/remove.tsx'),
        ]),
        ...prefix(':journeyId/assessments', [
          route('new', 'routes/assessments/edit.tsx', { id: 'new-assessment' }),
          route('edit/:assessmentId', 'routes/assessments/edit.tsx'),
          route('edit/:assessmentId/items/:item', 'routes/assessments/item.tsx'),
          route(':userId', 'routes/assessments/show.tsx', [
            route('reopen/:assessmentId/:rater', 'routes/assessments/reopen.tsx'),
          ]),
        ]),
      ]),
    ]),
  ]),

  // Super admin.
  layout('routes/tenants/layout.tsx', [
    ...prefix('tenants', [
      index('routes/tenants/list.tsx'),
      route('add', 'routes/tenants/add.tsx'),
      route('deleted', 'routes/tenants/deleted.tsx'),
      route('shared-sign-in', 'routes/tenants/shared-sign-in.tsx'),
      route('audit', 'routes/audit/list.tsx', { id: 'platform-audit' }),
      route('audit/export', 'routes/audit/export.ts', { id: 'platform-audit-file' }),
      route('edit/:tenantId', 'routes/tenants/edit.tsx'),
      route(':tenantId/sign-in', 'routes/tenants/sign-in.tsx'),
      route(':tenantId/subtenants', 'routes/tenants/subtenants.tsx'),
      route(':tenantId/subtenants/add', 'routes/tenants/add-subtenant.tsx'),
      route(':tenantId/subtenants/deleted', 'routes/tenants/deleted-subtenants.tsx'),
      route(':tenantId/subtenants/:subTenantId/edit', 'routes/tenants/edit-subtenant.tsx'),
    ]),
  ]),

  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
