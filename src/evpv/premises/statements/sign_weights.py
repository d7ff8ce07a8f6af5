"""What the signs of a statement are worth, in hundredths, for being wrong, missing and nothing at all rather than right: written by
`scripts/fit_reader.py`, not by hand."""

CONSTANT = (-0.28, -1.46, -0.92)
WEIGHTS = """\
absent unread|-8 51 6
after contradicted extreme supported|-4 -3 7
after contradicted supported|45 22 21
after contradicted value supported|24 7 9
after open supported|6 12 7
aggregate contradicted|-7 4 33
aggregate supported|8 2 20
alternative extreme supported|20 7 22
alternative supported|50 31 28
alternative value supported|12 8 0
any column supported|21 27 0
any column value supported|11 19 5
aside supported|38 5 -7
calculation supported|-34 -26 -5
column far contradicted|0 -7 10
column far doubted|14 27 14
column far supported|4 19 1
column far unsaid|-6 -6 0
column near contradicted|-5 -8 -27
column near doubted|-6 -22 -20
column near supported|-13 -20 -32
column near unsaid|-12 -18 -50
column open contradicted|-14 -10 -7
column open doubted|-4 25 16
column open open|0 13 10
column open supported|9 17 25
column open unsaid|-2 30 39
column own contradicted|57 24 17
column own doubted|16 -21 -1
column own open|-2 14 -1
column own supported|-22 -56 -20
column own unread|3 39 11
column own unsaid|5 -8 24
comparison contradicted|-47 -37 -38
comparison open|-2 20 22
comparison supported|-27 -15 -41
comparison unread|-1 8 -4
computed missing|-31 -29 59
computed supported|-15 9 30
contradicted|38 -1 -6
count supported|-28 -24 -27
cue as supported|-1 -9 -10
cue beats supported|-14 -20 -23
cue both supported|-17 -18 -20
cue both unsaid|6 -14 2
cue every contradicted|-6 -13 4
cue every doubted|-15 -26 -29
cue every open|-30 -45 -46
cue every supported|-30 -43 -44
cue every unsaid|5 2 7
cue falls contradicted|16 18 1
cue falls doubted|-40 -32 -34
cue falls supported|21 22 11
cue from contradicted|8 -1 -8
cue from doubted|0 -12 -14
cue from open|-28 -23 -23
cue from supported|3 -5 -19
cue from unsaid|-6 0 -5
cue hedge contradicted|-46 -28 -21
cue hedge doubted|-8 38 5
cue hedge supported|15 21 -2
cue hedge unsaid|-10 4 13
cue least contradicted|38 21 19
cue least supported|24 0 -21
cue less contradicted|15 -4 -3
cue less supported|30 10 0
cue less unsaid|10 1 -18
cue more contradicted|-2 -8 -1
cue more supported|-11 -6 -9
cue more unread|10 36 8
cue more unsaid|8 17 -19
cue most contradicted|-29 -35 -32
cue most doubted|-1 6 -10
cue most open|6 -8 -1
cue most supported|11 1 14
cue not doubted|8 -11 -1
cue not supported|42 10 4
cue not unsaid|-23 -9 -12
cue only contradicted|-33 -18 -26
cue only doubted|-9 -25 -31
cue only supported|1 -2 -14
cue only unsaid|-28 -36 -37
cue over contradicted|-49 -40 -13
cue over doubted|5 5 7
cue over supported|16 19 0
cue over unsaid|-10 2 -44
cue rises contradicted|5 -8 -9
cue rises doubted|16 8 -6
cue rises supported|18 7 22
cue same contradicted|-57 -26 -35
cue same supported|-10 -13 -15
cue so supported|0 9 37
cue steady supported|-1 -1 5
cue than contradicted|22 -2 4
cue than open|-11 1 -14
cue than supported|5 6 -15
cue than unread|-7 -2 -15
cue times supported|6 -1 -1
cue to contradicted|6 -2 -8
cue to doubted|-4 -15 18
cue to open|8 3 22
cue to supported|-4 29 -2
cue to unsaid|-6 2 9
cue total supported|-6 -8 13
cue total unsaid|-6 -3 14
cue twice contradicted|-8 -2 -12
cue twice supported|3 8 -9
cue under contradicted|-25 -18 -28
cue under supported|30 17 0
denied unsaid|0 18 20
derived contradicted|-20 -16 3
derived doubted|-5 -12 66
derived open|-9 -41 -34
derived supported|5 5 40
derived unsaid|6 8 49
doubted|20 8 9
extreme contradicted|0 -17 -15
extreme doubted|8 1 -16
extreme open|-1 -18 6
extreme supported|22 -5 -14
idle doubted|-23 -34 -26
idle open|-2 -13 2
idle unread|-1 -13 -5
length 0 contradicted|21 -2 -22
length 0 doubted|17 -4 12
length 0 supported|-15 -25 -5
length 0 unsaid|10 14 0
length 1 contradicted|-5 27 25
length 1 doubted|12 29 31
length 1 open|5 21 10
length 1 supported|-42 -54 -26
length 1 unread|-1 45 13
length 1 unsaid|-7 24 43
length 2 contradicted|41 1 18
length 2 doubted|-5 13 -17
length 2 open|-3 -9 -34
length 2 supported|-7 14 17
length 2 unread|-3 49 24
length 2 unsaid|-27 -18 -10
length 3 contradicted|2 -19 -11
length 3 doubted|-1 -22 -22
length 3 supported|26 30 -1
length 3 unsaid|13 -4 9
length 4 supported|13 -1 -4
loose column contradicted|-54 -35 -36
loose column supported|31 30 32
loose row contradicted|-40 48 1
loose row supported|21 14 34
movement contradicted|25 2 -6
movement doubted|-5 -22 -21
movement supported|-8 -12 4
nameless doubted|-15 -13 18
nameless open|21 4 44
nameless supported|-12 -5 28
nameless unread|-6 -3 4
nameless unsaid|-1 -17 48
names 0 contradicted|-9 17 33
names 0 doubted|-49 7 7
names 0 open|5 32 29
names 0 supported|6 15 38
names 0 unread|-8 20 12
names 0 unsaid|-4 41 74
names 1 contradicted|15 -11 -16
names 1 doubted|34 13 -5
names 1 open|19 16 13
names 1 supported|-13 6 -26
names 1 unread|13 37 7
names 1 unsaid|-4 -13 -24
names 2 contradicted|21 -12 -14
names 2 doubted|33 -4 12
names 2 open|-18 -14 -25
names 2 supported|-12 -46 -23
names 2 unsaid|-34 -24 -21
names 3 contradicted|10 4 -10
names 3 doubted|3 -8 -4
names 3 supported|-2 -15 -14
names 3 unsaid|26 -6 -16
nothing unsaid|-16 -2 13
number best count doubted|10 2 -6
number best nowhere contradicted|20 34 22
number best nowhere doubted|21 35 7
number best nowhere supported|-3 -14 -21
number best nowhere unread|9 24 17
number best own contradicted|4 -28 -33
number best own doubted|-18 -41 -39
number best own open|-14 -9 -23
number best own supported|-42 -48 -66
number best read contradicted|14 3 -7
number best read doubted|9 -3 8
number best read supported|-15 -16 -19
number best sentence contradicted|-4 -10 -9
number best sentence doubted|10 11 35
number best sentence supported|8 4 14
number best worked contradicted|-3 -12 12
number best worked doubted|-29 -17 -15
number best worked elsewhere contradicted|-12 7 2
number best worked elsewhere doubted|11 17 4
number best worked supported|-2 -6 -8
number bound contradicted|14 8 10
number bound doubted|11 -10 20
number bound supported|43 35 18
number digits 1 count doubted|-13 -9 -23
number digits 1 count value doubted|-15 -7 -27
number digits 1 nowhere contradicted|-40 -10 10
number digits 1 nowhere doubted|-29 -13 -2
number digits 1 nowhere value doubted|-19 -9 9
number digits 1 own contradicted|23 5 3
number digits 1 own row supported|5 1 0
number digits 1 own supported|23 28 31
number digits 1 own value supported|-1 19 16
number digits 1 read contradicted|-2 17 2
number digits 1 read value contradicted|9 23 8
number digits 1 worked comparison supported|7 0 0
number digits 1 worked contradicted|17 -4 4
number digits 1 worked doubted|5 15 6
number digits 1 worked supported|-8 -8 1
number digits 1 worked value doubted|-1 21 13
number digits 1 worked value supported|8 10 17
number digits 2 nowhere contradicted|17 25 -2
number digits 2 nowhere doubted|38 43 13
number digits 2 nowhere value contradicted|5 4 -6
number digits 2 nowhere value doubted|14 37 9
number digits 2 own extreme supported|-14 -10 -11
number digits 2 own movement supported|-7 -5 -5
number digits 2 own supported|-25 -42 -37
number digits 2 own value supported|1 -22 -16
number digits 2 read contradicted|10 -6 -4
number digits 2 read supported|-12 -12 -13
number digits 2 read value contradicted|-6 -13 -11
number digits 2 worked aggregate supported|-19 -15 -22
number digits 2 worked comparison supported|-6 -5 -6
number digits 2 worked contradicted|-10 -18 -19
number digits 2 worked doubted|-22 -18 -20
number digits 2 worked elsewhere contradicted|22 26 11
number digits 2 worked elsewhere doubted|-7 -17 -15
number digits 2 worked elsewhere value contradicted|7 25 9
number digits 2 worked supported|-23 -13 -30
number digits 2 worked value contradicted|0 -7 -7
number digits 2 worked value supported|-2 4 6
number digits 3 nowhere contradicted|39 22 31
number digits 3 nowhere value contradicted|22 15 2
number digits 3 own extreme supported|-10 -6 -6
number digits 3 own movement supported|-8 -5 -5
number digits 3 own supported|-16 -12 -20
number digits 3 own value supported|5 2 -4
number digits 3 read contradicted|1 -8 -6
number digits 3 read value contradicted|-6 -10 -9
number digits 3 worked supported|-7 -5 -1
number digits 4 nowhere contradicted|22 2 1
number digits 4 nowhere value contradicted|15 1 2
number digits 4 own supported|8 5 -6
number digits 4 own value supported|-12 -3 -13
number near contradicted|15 17 -18
number near doubted|41 36 15
number near supported|5 -27 -30
number neighbour contradicted|55 10 -1
number neighbour doubted|25 -3 12
number neighbour open|10 -2 -15
number neighbour supported|18 -7 -6
number neighbour value contradicted|30 -10 -12
number neighbour value doubted|14 -3 1
number neighbour value open|-5 -7 -19
number neighbour value supported|34 8 13
number off 0.02 comparison supported|18 8 8
number off 0.02 contradicted|-24 -33 -30
number off 0.02 extreme supported|-26 -18 -17
number off 0.02 movement supported|-10 -8 -9
number off 0.02 row supported|19 5 1
number off 0.02 supported|-40 -39 -46
number off 0.02 value supported|-38 -24 -27
number off 0.1 contradicted|-1 10 -10
number off 0.1 supported|-8 -11 -11
number off 0.1 value contradicted|18 24 4
number off 0.1 value supported|-1 -7 -7
number off 0.3 contradicted|5 7 -16
number off 0.3 doubted|24 25 13
number off 0.3 supported|25 20 1
number off 0.3 value contradicted|-1 15 -9
number off 0.3 value doubted|22 22 13
number off 0.3 value supported|31 14 6
number off 1 aggregate supported|12 0 -5
number off 1 comparison contradicted|-28 -25 -25
number off 1 comparison supported|-17 -15 -16
number off 1 contradicted|-8 -31 -30
number off 1 count supported|-9 -8 -8
number off 1 doubted|10 -8 -7
number off 1 movement supported|-12 -7 -16
number off 1 supported|-21 -8 -24
number off 1 value contradicted|-7 -11 7
number off 1 value doubted|6 30 22
number off 1 value open|-16 3 1
number off 1 value supported|-2 23 24
number off 5 contradicted|-5 9 24
number off 5 supported|-6 2 25
number off 5 value contradicted|-19 -8 -8
number off 5 value supported|11 14 29
number off 9 supported|11 2 0
number part contradicted|-19 -11 8
number part open|3 26 34
number part supported|18 33 10
number percent contradicted|19 2 -2
number percent doubted|24 41 -16
number percent supported|10 3 19
number role , contradicted|-7 -26 -28
number role , doubted|-24 -13 -28
number role , supported|-14 -26 -24
number role : contradicted|31 2 5
number role : supported|4 -8 2
number role and supported|-1 -6 -2
number role at supported|-28 -24 -28
number role by doubted|12 0 25
number role by supported|-4 11 10
number role costs supported|14 9 17
number role for supported|-7 2 -7
number role from supported|12 -3 -2
number role has supported|-12 -8 -10
number role is contradicted|33 31 25
number role is supported|-20 -13 12
number role of supported|-14 11 1
number role times supported|7 0 0
number role to contradicted|-10 -17 -15
number role to supported|-7 -8 -18
number role was supported|-2 6 -3
number role with supported|22 2 -1
number role → supported|8 0 -3
number shuffled contradicted|83 18 15
number small contradicted|-8 14 24
number small doubted|-35 -6 26
number small open|-7 -15 -12
number small supported|-2 -12 28
number spelled contradicted|-17 9 6
number spelled doubted|-73 -67 -50
number spelled open|-18 -5 4
number spelled supported|0 10 -2
number worst count count supported|-6 -7 -9
number worst count doubted|14 4 -4
number worst count supported|-13 -4 -14
number worst count value doubted|2 3 -12
number worst nowhere contradicted|38 40 40
number worst nowhere doubted|29 36 9
number worst nowhere open|23 23 12
number worst nowhere supported|7 -11 -21
number worst nowhere unread|9 24 17
number worst nowhere value contradicted|22 26 25
number worst nowhere value doubted|24 37 24
number worst nowhere value open|5 20 7
number worst nowhere value unread|8 21 9
number worst own comparison contradicted|-16 -11 -11
number worst own contradicted|-30 -33 -34
number worst own doubted|-29 -42 -41
number worst own extreme supported|-9 -11 -12
number worst own movement supported|-14 -11 -11
number worst own row supported|19 5 1
number worst own supported|-5 -21 -31
number worst own value doubted|-43 -47 -46
number worst own value supported|-4 -4 -17
number worst read contradicted|20 6 -4
number worst read doubted|9 -3 8
number worst read open|-8 -26 -23
number worst read supported|-26 -25 -28
number worst read value contradicted|3 1 -9
number worst read value doubted|-1 -9 -13
number worst read value supported|-22 -22 -25
number worst sentence contradicted|-2 -9 -8
number worst sentence doubted|10 11 35
number worst sentence supported|5 3 15
number worst sentence value contradicted|6 -4 -4
number worst sentence value doubted|11 0 33
number worst worked aggregate supported|-1 -3 6
number worst worked comparison supported|-2 -7 -8
number worst worked contradicted|-19 -29 -27
number worst worked doubted|-34 -20 -18
number worst worked elsewhere contradicted|-5 13 15
number worst worked elsewhere doubted|15 19 6
number worst worked elsewhere supported|17 30 36
number worst worked elsewhere value contradicted|11 32 33
number worst worked elsewhere value doubted|10 26 11
number worst worked movement supported|1 -10 -12
number worst worked open|-17 -28 -19
number worst worked supported|-18 -18 -18
number worst worked value contradicted|-16 -24 -24
number worst worked value doubted|3 19 21
number worst worked value open|-9 -16 -5
number worst worked value supported|-1 6 12
numbers 0 contradicted|63 9 12
numbers 0 doubted|6 3 15
numbers 0 open|0 9 27
numbers 0 supported|11 5 36
numbers 0 unread|-12 -4 -17
numbers 0 unsaid|0 26 64
numbers 1 contradicted|-20 -4 -19
numbers 1 open|7 10 -9
numbers 1 supported|-13 -10 -24
numbers 1 unread|-2 35 14
numbers 2 contradicted|-15 -9 -2
numbers 2 open|-14 5 -28
numbers 2 supported|-13 -28 -28
open|4 21 4
other row supported|-4 -4 20
other row value supported|-19 -15 -8
part of column contradicted|1 7 15
part of column supported|-5 -7 -3
part of column unsaid|-13 -18 -13
part of row contradicted|10 -9 1
part of row supported|-8 7 9
plain contradicted|62 17 24
plain row supported|20 6 3
plain supported|4 -6 16
plain value contradicted|53 15 22
plain value supported|-16 -12 13
pronoun contradicted|0 22 -13
pronoun doubted|-21 -17 -26
pronoun open|4 27 10
pronoun supported|-30 14 -11
pronoun unread|10 11 8
pronoun unsaid|5 24 -9
reading 1 aggregate supported|15 5 20
reading 1 comparison supported|-22 -23 -47
reading 1 count supported|-15 -15 -17
reading 1 extreme supported|-32 -17 -14
reading 1 movement supported|-12 -11 -7
reading 1 row supported|19 5 1
reading 1 supported|-29 -19 -30
reading 1 value supported|-1 11 6
reading 2 extreme supported|33 9 2
reading 2 supported|33 -3 16
reading 2 value supported|1 -8 6
reading 3 supported|15 11 21
reading 3 value supported|2 -5 8
reading 4 supported|-4 1 -23
reading 4 value supported|-5 9 -13
readings 1 comparison contradicted|-35 -31 -47
readings 1 contradicted|24 -9 -27
readings 1 doubted|6 26 6
readings 1 extreme contradicted|12 0 0
readings 1 movement contradicted|12 -6 -5
readings 1 movement doubted|-24 -19 -16
readings 1 value contradicted|-12 7 10
readings 1 value doubted|1 15 3
readings 2 contradicted|-32 -20 -13
readings 2 doubted|-7 -4 3
readings 2 value doubted|-12 10 14
readings 3 doubted|14 -15 8
readings 3 value doubted|1 -14 5
readings 4 contradicted|-9 6 6
readings 4 doubted|12 4 -7
readings 4 value doubted|16 18 -3
row far column own nothing unsaid|-1 1 41
row far column own value doubted|15 0 23
row far column own value supported|8 -2 8
row far contradicted|21 6 9
row far doubted|12 21 19
row far supported|2 41 31
row far unsaid|-6 2 50
row near column far value supported|-15 -12 -16
row near column near nothing unsaid|3 21 -3
row near column near value supported|13 -3 3
row near column open value supported|47 18 20
row near column own extreme supported|-5 -7 -8
row near column own nothing unsaid|-3 8 -28
row near column own value contradicted|-17 -5 3
row near column own value doubted|-11 7 -7
row near column own value open|-16 -3 -13
row near column own value supported|-9 -19 -18
row near contradicted|-13 -8 -1
row near doubted|5 -8 -11
row near open|-41 -28 -50
row near supported|-1 -51 -41
row near unsaid|-7 36 -43
row open column open nothing unsaid|-5 -1 17
row open column open value doubted|3 9 35
row open column own calculation supported|-22 -11 -4
row open column own extreme open|-27 -17 15
row open column own movement supported|8 -2 -6
row open column own nothing unsaid|10 11 57
row open column own value doubted|5 -4 6
row open column own value supported|8 -4 -7
row open column own value unread|3 33 10
row open contradicted|4 14 29
row open doubted|-14 0 20
row open open|17 5 45
row open supported|-6 -10 34
row open unread|6 23 19
row open unsaid|-10 -14 37
row own column far movement supported|-5 -7 -8
row own column far value supported|-16 -14 -15
row own column near value supported|-3 -6 4
row own column open calculation supported|-34 -36 -50
row own column open extreme supported|-5 -9 -21
row own column open movement supported|-5 -3 -2
row own column open nothing unsaid|8 13 32
row own column open value supported|5 36 28
row own column own aggregate supported|18 5 1
row own column own comparison contradicted|36 20 5
row own column own comparison supported|8 8 -15
row own column own comparison unread|-5 5 -13
row own column own extreme contradicted|9 -7 -7
row own column own extreme supported|7 -2 -14
row own column own movement contradicted|-7 -1 -7
row own column own movement supported|-5 2 -1
row own column own nothing unsaid|-1 -29 -46
row own column own row supported|19 5 1
row own column own value contradicted|7 2 -13
row own column own value doubted|-11 -7 -1
row own column own value open|-9 -19 -24
row own column own value supported|-21 -6 7
row own contradicted|26 -14 -44
row own doubted|18 -4 -20
row own open|25 24 -11
row own supported|-16 -21 -50
row own unread|-13 -9 -24
row own unsaid|7 -26 -31
row supported|12 0 -4
says about supported|7 12 1
says above supported|-13 -12 -11
says against supported|-3 -6 -9
says age supported|15 5 -2
says all contradicted|8 1 8
says all supported|-24 -19 -10
says and contradicted|-19 -30 -26
says and doubted|-15 -18 2
says and supported|-14 -16 -23
says and unsaid|23 3 9
says are doubted|-5 6 -21
says are supported|-15 -18 -9
says are unsaid|-6 0 -10
says as contradicted|-3 3 -5
says as supported|7 6 2
says at contradicted|-12 -12 -10
says at doubted|15 23 24
says at supported|37 13 23
says at unsaid|7 -4 -12
says between supported|-11 -10 -7
says both supported|-1 -8 -8
says by contradicted|0 -20 -13
says by doubted|-20 -5 1
says by supported|-4 12 12
says by unsaid|-16 -29 -39
says chart supported|-5 1 16
says come supported|9 12 3
says country supported|-11 -10 -11
says day supported|-7 5 -9
says demand supported|-7 -8 -11
says dollar supported|-1 -3 -6
says each supported|-1 -7 -10
says every supported|-20 -19 -21
says exactly supported|-4 -7 -8
says for contradicted|3 2 10
says for supported|3 -4 -10
says for unsaid|22 30 27
says from contradicted|-2 0 -7
says from supported|0 2 -7
says from unsaid|-20 -16 -15
says group supported|-11 -10 -10
says grow supported|-5 -6 -5
says had contradicted|8 -3 -2
says had supported|-1 18 -2
says half supported|19 9 1
says has contradicted|31 11 20
says has supported|-38 -30 -34
says have contradicted|16 24 7
says have supported|-3 -3 18
says height supported|18 7 5
says highest supported|-12 -3 9
says important supported|7 -3 -3
says in contradicted|11 -1 -24
says in doubted|11 -37 -44
says in open|-17 -4 -48
says in supported|4 25 -9
says in unread|20 34 4
says in unsaid|-9 11 -29
says is contradicted|20 10 29
says is doubted|15 15 20
says is open|-6 5 10
says is supported|-14 -13 -22
says is unsaid|15 22 31
says it contradicted|25 32 17
says it doubted|-12 -17 -15
says it supported|3 -4 -15
says it unsaid|8 10 0
says its supported|0 15 12
says just supported|-11 -10 -12
says km supported|19 9 16
says largest supported|-34 -24 -29
says least supported|6 3 10
says line supported|-4 3 -7
says loss supported|13 10 1
says make supported|9 18 3
says man supported|-1 -6 -7
says many supported|-8 -9 -9
says medal supported|-5 3 -6
says million contradicted|7 0 -6
says million doubted|-8 -16 -24
says million supported|-34 -36 -39
says minute supported|7 -2 -2
says mm supported|-11 -9 -13
says more contradicted|-4 -4 -10
says more supported|-41 -14 -16
says most supported|-8 29 -14
says no supported|3 -3 -5
says number supported|-15 -12 -17
says of contradicted|-18 -14 2
says of doubted|-21 18 -17
says of open|-10 -6 -46
says of supported|-12 51 20
says of unread|-8 -24 -27
says of unsaid|-7 15 -42
says on contradicted|6 13 -3
says on doubted|0 7 -5
says on supported|-11 -9 -12
says one supported|-6 -5 11
says only supported|3 4 -8
says other supported|-11 -7 -2
says over supported|-5 -4 -14
says percentage supported|0 -6 -8
says person supported|5 -4 -6
says point supported|-21 -13 -6
says price contradicted|9 17 18
says price doubted|19 28 32
says price supported|-28 -14 9
says quantity supported|0 -3 -5
says quarter supported|-5 4 -3
says rate supported|15 18 17
says row supported|-9 -8 -1
says same supported|-6 -8 -10
says saturday supported|5 -1 -2
says share contradicted|8 -2 -2
says share supported|-9 -14 -17
says sibling supported|-4 -4 -6
says smallest supported|-10 -10 -14
says solar supported|2 13 1
says still supported|1 -5 -5
says student supported|-23 -21 -30
says supply supported|0 -4 -7
says table supported|-10 2 -9
says than contradicted|16 -3 3
says than open|-20 -2 -18
says than supported|17 14 -5
says than unread|-2 10 -7
says that contradicted|10 8 2
says that supported|-6 17 10
says that unsaid|-9 -21 -22
says the contradicted|-11 15 11
says the doubted|25 -1 -23
says the open|13 -28 7
says the supported|-19 -30 -27
says the unread|-10 -11 -36
says the unsaid|13 -6 -6
says them supported|-3 9 -11
says there supported|-9 1 -14
says they supported|-14 -11 -13
says thousand supported|24 20 11
says thursday supported|-9 -6 -7
says time supported|3 -5 -6
says to contradicted|-6 -7 -13
says to doubted|-9 -14 18
says to open|14 10 27
says to supported|0 22 1
says to unsaid|-2 9 16
says together supported|-1 -6 -11
says total supported|-14 -7 1
says twice supported|-8 2 -7
says unit supported|-5 6 -7
says up supported|-7 16 19
says very supported|-7 -12 -12
says was contradicted|1 1 -8
says was supported|20 18 2
says we unsaid|18 9 49
says wednesday supported|-17 -11 -12
says were supported|-10 6 1
says win supported|8 6 14
says with contradicted|24 0 0
says with supported|23 -9 -16
says with unsaid|-6 -6 20
says woman supported|8 0 -2
says year contradicted|-14 1 -16
says year doubted|-16 10 -23
says year supported|-12 -16 -33
strange 0 contradicted|52 -15 5
strange 0 doubted|15 -25 -9
strange 0 open|-9 9 12
strange 0 supported|-11 -37 -16
strange 0 unsaid|-17 -33 -1
strange 1 contradicted|7 3 12
strange 1 doubted|-2 2 6
strange 1 open|-8 -6 -5
strange 1 supported|-37 -41 7
strange 1 unread|-6 22 1
strange 1 unsaid|6 -9 22
strange 2 contradicted|36 20 12
strange 2 doubted|12 29 15
strange 2 open|-10 16 -21
strange 2 supported|-21 -43 -47
strange 2 unread|1 28 8
strange 2 unsaid|9 10 5
strange 3 contradicted|-18 -4 -25
strange 3 doubted|3 9 -18
strange 3 open|9 -11 18
strange 3 supported|24 4 7
strange 3 unread|-4 -36 -12
strange 3 unsaid|-30 -7 -38
strange 4 contradicted|-43 -37 -36
strange 4 doubted|4 9 15
strange 4 supported|21 47 15
strange 4 unsaid|3 30 -3
strange 5 supported|-12 -6 -2
strange doubted|15 63 26
strange value doubted|-26 36 -11
supported|-21 -41 -26
unbound doubted|9 7 15
unbound value doubted|0 8 7
unknown 0 contradicted|31 -41 -4
unknown 0 doubted|29 1 5
unknown 0 open|-4 -19 18
unknown 0 supported|-17 -87 -42
unknown 0 unsaid|0 -46 -21
unknown 1 contradicted|4 -7 -20
unknown 1 doubted|13 -18 -21
unknown 1 open|-22 7 -22
unknown 1 supported|-13 -30 -21
unknown 1 unread|7 37 24
unknown 1 unsaid|-25 10 0
unknown 2 contradicted|-17 20 1
unknown 2 doubted|-9 0 -5
unknown 2 supported|-5 24 11
unknown 2 unread|5 8 7
unknown 2 unsaid|-2 8 13
unknown 3 doubted|-11 22 20
unknown 3 supported|-19 -13 -13
unknown 3 unsaid|5 10 18
unknown 4 supported|33 66 40
unknown 4 unsaid|6 16 2
unread|-14 30 -4
unsaid|-16 -2 13
unsure doubted|-7 -47 -28
unsure extreme doubted|-6 -2 -20
unsure movement doubted|-1 -17 -16
unsure value doubted|7 -18 14
value contradicted|4 28 19
value doubted|6 29 19
value open|-25 -2 -16
value supported|15 14 13
value unread|-5 29 -4
without row in part supported|33 8 7
word all contradicted|8 1 8
word all supported|-24 -19 -10
word both supported|-1 -8 -8
word each supported|-1 -7 -10
word every supported|-20 -19 -21
word first supported|-9 -5 8
word half supported|19 9 1
word only supported|3 4 -8
word other supported|-11 -7 -2
word same supported|-6 -8 -10
word second supported|32 27 24
word twice supported|-8 2 -7
"""
