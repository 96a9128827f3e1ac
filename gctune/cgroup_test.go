package gctune

import (
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"
)

const (
	mountV2     = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
	mountV1     = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
	mountHybrid = "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw\n" + mountV1
	fileStat    = "anon 1\ninactive_file 1048576\nactive_file 1048576\nfile_mapped 0\nfile_dirty 0\nfile_writeback 0\n"
)

// tree makes a file system from "path content" pairs.
func tree(pairs ...string) fstest.MapFS {
	t := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		t[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return t
}

func v2(dir, max, current string) []string {
	return []string{dir + "/memory.max", max + "\n", dir + "/memory.current", current + "\n", dir + "/memory.stat", fileStat}
}

func v1(dir, limit, usage string) []string {
	return []string{dir + "/memory.limit_in_bytes", limit + "\n", dir + "/memory.usage_in_bytes", usage + "\n",
		dir + "/memory.stat", "inactive_file 9\ntotal_inactive_file 0\ntotal_active_file 2097152\ntotal_mapped_file 1048576\n"}
}

func TestLimits(t *testing.T) {
	const mib = 1 << 20
	join := func(parts ...[]string) (all []string) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	self := func(cgroup, mounts string) []string {
		return []string{"proc/self/cgroup", cgroup, "proc/self/mountinfo", mounts}
	}
	for _, tt := range []struct {
		name  string
		files []string
		limit uint64 // MiB
		room  int64  // MiB
		from  string
	}{
		{"no control groups", nil, 0, 0, ""},
		{"v2, in a container's own namespace",
			join(self("0::/\n", mountV2), v2("sys/fs/cgroup", "536870912", "104857600")), 512, 414, "sys/fs/cgroup"},
		{"v2, systemd slices, the parent is tighter",
			join(self("0::/system.slice/a b.service\n", mountV2),
				v2("sys/fs/cgroup/system.slice/a b.service", "max", "104857600"),
				v2("sys/fs/cgroup/system.slice", "209715200", "104857600")), 200, 102, "sys/fs/cgroup/system.slice"},
		{"v2, both limited, the parent has less room because of others",
			join(self("0::/pod/c\n", mountV2), v2("sys/fs/cgroup/pod/c", "209715200", "10485760"),
				v2("sys/fs/cgroup/pod", "419430400", "314572800")), 400, 102, "sys/fs/cgroup/pod"},
		{"v2, memory.high is tighter than memory.max",
			join(self("0::/x\n", mountV2), v2("sys/fs/cgroup/x", "536870912", "104857600"),
				[]string{"sys/fs/cgroup/x/memory.high", "268435456\n"}), 256, 158, "sys/fs/cgroup/x"},
		{"v2, max everywhere",
			join(self("0::/x\n", mountV2), v2("sys/fs/cgroup/x", "max", "1")), 0, 0, ""},
		{"v2, seen through a bind mount of the group",
			join(self("0::/docker/abc\n", "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n"),
				v2("sys/fs/cgroup", "536870912", "104857600")), 512, 414, "sys/fs/cgroup"},
		{"v2, group outside of the mount",
			join(self("0::/../../other\n", mountV2), v2("sys/fs/cgroup", "536870912", "104857600")), 512, 414, "sys/fs/cgroup"},
		{"v2, a bind mount of another group is listed first",
			join(self("0::/app\n", "29 23 0:26 /docker/abc /mnt/abc rw - cgroup2 cgroup2 rw\n"+mountV2),
				v2("mnt/abc", "268435456", "104857600"), v2("sys/fs/cgroup/app", "536870912", "104857600")), 512, 414, "sys/fs/cgroup/app"},
		{"v2, in a container's own namespace, the host's root is listed first",
			join(self("0::/\n", "29 23 0:26 /../.. /rootfs/sys/fs/cgroup ro - cgroup2 cgroup2 rw\n"+mountV2),
				v2("rootfs/sys/fs/cgroup", "max", "104857600"), v2("sys/fs/cgroup", "536870912", "104857600")), 512, 414, "sys/fs/cgroup"},
		{"v2, mount point with a space",
			join(self("0::/\n", `30 23 0:26 / /mnt/a\040b rw - cgroup2 cgroup2 rw`+"\n"), v2("mnt/a b", "536870912", "104857600")), 512, 414, "mnt/a b"},
		{"v1",
			join(self("4:memory:/app\n3:cpu:/\n", mountV1), v1("sys/fs/cgroup/memory/app", "536870912", "104857600")), 512, 413, "sys/fs/cgroup/memory/app"},
		{"v1, no limit is 2^63-4096",
			join(self("4:memory:/app\n", mountV1), v1("sys/fs/cgroup/memory/app", "9223372036854771712", "104857600")), 0, 0, ""},
		{"v1, parent that is charged for its children",
			join(self("4:memory:/a/b\n", mountV1), v1("sys/fs/cgroup/memory/a/b", "9223372036854771712", "104857600"),
				v1("sys/fs/cgroup/memory/a", "268435456", "104857600")), 256, 157, "sys/fs/cgroup/memory/a"},
		{"v1, parent hidden by a namespace",
			join(self("4:memory:/\n", mountV1), v1("sys/fs/cgroup/memory", "9223372036854771712", "104857600"),
				[]string{"sys/fs/cgroup/memory/memory.stat", "hierarchical_memory_limit 268435456\n"}), 256, 156, "sys/fs/cgroup/memory"},
		{"hybrid, the controller is v1's",
			join(self("4:memory:/app\n0::/app\n", mountHybrid), v1("sys/fs/cgroup/memory/app", "536870912", "104857600")), 512, 413, "sys/fs/cgroup/memory/app"},
		{"hybrid, the controller is v2's",
			join(self("1:name=systemd:/app\n0::/app\n", mountHybrid), v2("sys/fs/cgroup/unified/app", "536870912", "104857600")), 512, 414, "sys/fs/cgroup/unified/app"},
		{"absurd numbers",
			join(self("0::/x\n", mountV2), v2("sys/fs/cgroup/x", "99999999999999999999999", "-3")), 0, 0, ""},
		{"zero is no limit", join(self("0::/x\n", mountV2), v2("sys/fs/cgroup/x", "0", "1")), 0, 0, ""},
		{"garbage in every file",
			join(self("::::\n\x00", "- - -\n"), v2("sys/fs/cgroup", "lots", "some")), 0, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m memory
			newKernel(tree(tt.files...), 0).read(&m, 0)
			if m.limit != tt.limit*mib || (m.room+mib/2)/mib != tt.room || m.from != tt.from {
				t.Errorf("limit %d, room %d MiB from %q; want %d MiB, %d MiB from %q", m.limit, m.room/mib, m.from, tt.limit, tt.room, tt.from)
			}
		})
	}
}

func TestLimitFollowsAResizeAMoveAndAVanishing(t *testing.T) {
	files := tree(append(v2("sys/fs/cgroup/a", "536870912", "1"), v2("sys/fs/cgroup/b", "268435456", "1")...)...)
	files["proc/self/cgroup"] = &fstest.MapFile{Data: []byte("0::/a\n")}
	files["proc/self/mountinfo"] = &fstest.MapFile{Data: []byte(mountV2)}
	files["proc/self/statm"] = &fstest.MapFile{Data: []byte("9 3 1 0 0 0 0\n")}
	k := newKernel(reopening{files}, 0)
	expect := func(what string, limit uint64) {
		t.Helper()
		var m memory
		k.read(&m, 0)
		if m.limit != limit<<20 {
			t.Fatalf("%s: limit %d, want %d MiB", what, m.limit, limit)
		}
	}
	expect("at first", 512)
	files["sys/fs/cgroup/a/memory.max"].Data = []byte("1073741824\n")
	expect("resized", 1024)
	files["proc/self/cgroup"].Data = []byte("0::/b\n")
	expect("moved", 256)
	for name := range files {
		if strings.HasPrefix(name, "sys/") {
			delete(files, name)
		}
	}
	expect("vanished", 0)
}

// TestAControllerThatIsEnabledLaterIsSeen starts in a group without files of
// the memory controller.
func TestAControllerThatIsEnabledLaterIsSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := tree("proc/self/cgroup", "0::/a\n", "proc/self/mountinfo", mountV2)
		k := newKernel(reopening{files}, 0)
		limit := func() uint64 {
			var m memory
			k.read(&m, 0)
			return m.limit
		}
		if n := limit(); n != 0 {
			t.Errorf("limit %d without a controller", n)
		}
		maps.Copy(files, tree(v2("sys/fs/cgroup/a", "536870912", "1")...))
		time.Sleep(searchAgain)
		if n := limit(); n != 512<<20 {
			t.Errorf("a minute after the controller was enabled the limit is %d", n)
		}
	})
}

// reopening serves the files as the kernel does: each read is current.
type reopening struct{ files fstest.MapFS }

func (r reopening) Open(name string) (fs.File, error) {
	f, err := r.files.Open(name)
	if err != nil {
		return nil, err
	}
	return current{f, r.files, name}, nil
}

type current struct {
	fs.File
	files fstest.MapFS
	name  string
}

func (c current) ReadAt(b []byte, off int64) (int, error) {
	f, ok := c.files[c.name]
	if !ok {
		return 0, fmt.Errorf("%s: no such device", c.name)
	}
	return strings.NewReader(string(f.Data)).ReadAt(b, off)
}

func TestGivenLimitCountsAgainstTheProcess(t *testing.T) {
	files := tree("proc/self/statm", "100 30 10 0 0 0 0\n", "proc/meminfo", "MemTotal:       1000 kB\nMemAvailable:    400 kB\n")
	var m memory
	newKernel(files, 64<<20).read(&m, 0)
	if want := int64(64<<20 - 20*pageSize); m.limit != 64<<20 || m.room != want || m.from != "options" {
		t.Errorf("limit %d room %d from %s, want room %d", m.limit, m.room, m.from, want)
	}
	if m.total != 1000<<10 || m.available != 400<<10 {
		t.Errorf("machine: %d of %d", m.available, m.total)
	}
	newKernel(files, NoLimit).read(&m, 0)
	if m.limit != 0 {
		t.Errorf("NoLimit: limit %d", m.limit)
	}
}

func FuzzControllerDirs(f *testing.F) {
	f.Add("4:memory:/a\n0::/b\n", mountHybrid)
	f.Add("0::/../x\n", `30 23 0:26 /\04 /mnt/a\040b rw - cgroup2 cgroup2 rw`)
	f.Fuzz(func(t *testing.T, cgroup, mountinfo string) {
		for _, d := range controllerDirs(cgroup, mountinfo) {
			if strings.HasPrefix(d.name, "/") {
				t.Errorf("%q is not relative to the root", d.name)
			}
		}
	})
}

func FuzzFields(f *testing.F) {
	f.Add([]byte(fileStat), "active_file")
	f.Fuzz(func(t *testing.T, b []byte, key string) {
		field(b, key)
		if n, ok := parseLimit(b); !ok && n != none {
			t.Errorf("%q is no limit and yet %d", b, n)
		}
	})
}

// TestQuietSeesWhatChanges glances at a group whose charge and limit move.
func TestQuietSeesWhatChanges(t *testing.T) {
	files := func(limit, charge string) fstest.MapFS {
		return tree(append([]string{"proc/self/cgroup", "0::/x\n", "proc/self/mountinfo", mountV2}, v2("sys/fs/cgroup/x", limit, charge)...)...)
	}
	for _, tt := range []struct {
		limit, charge string
		quiet         bool
	}{
		{"536870912", "104857600", true},
		{"536870912", "105906176", true}, // 1 MiB more
		{"536870912", "115343360", false},
		{"536870912", "94371840", false},
		{"268435456", "104857600", false},
		{"max", "104857600", false},
	} {
		root := files("536870912", "104857600")
		k := newKernel(root, 0)
		var m memory
		k.read(&m, 0)
		maps.Copy(root, files(tt.limit, tt.charge))
		k.close() // a file of the map stays as it was when it was opened
		if k.quiet() != tt.quiet {
			t.Errorf("limit %s, charge %s: quiet is %v", tt.limit, tt.charge, !tt.quiet)
		}
	}
}
