package truth

// Modules are all modules, in the order of the page.
var Modules = []*Module{
	&chroma,
	&nats,
	&bleve,
	&esbuild,
	&caddy,
	&gomarkdown,
	&miekgdns,
	&shfmt,
	&xnethtml,
	&gojq,
	&xz,
	&expr,
	&gotoml,
	&chi,
	&goja,
	&bbolt,
	&cel,
	&gogit,
	&badger,
	&prometheus,
	&gopherLua,
	&httpbin,
}
