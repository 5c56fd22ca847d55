export { AuthCard } from "./auth-card.tsx";
export { Page, PageHeader, type PageHeaderProps, Section, type SectionProps } from "./page.tsx";
export { type TabLink, TabLinks } from "./tab-links.tsx";
