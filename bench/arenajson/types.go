package main

// canada is GeoJSON.
type canada struct {
	Type     string `json:"type"`
	Features []struct {
		Type       string `json:"type"`
		Properties struct {
			Name string `json:"name"`
		} `json:"properties"`
		Geometry struct {
			Type        string        `json:"type"`
			Coordinates [][][]float64 `json:"coordinates"`
		} `json:"geometry"`
	} `json:"features"`
}

// catalogue is citm's.
type catalogue struct {
	AreaNames                map[string]string `json:"areaNames"`
	AudienceSubCategoryNames map[string]string `json:"audienceSubCategoryNames"`
	Events                   map[string]event  `json:"events"`
	Performances             []performance     `json:"performances"`
	SeatCategoryNames        map[string]string `json:"seatCategoryNames"`
	SubTopicNames            map[string]string `json:"subTopicNames"`
	SubjectNames             map[string]string `json:"subjectNames"`
	TopicNames               map[string]string `json:"topicNames"`
	TopicSubTopics           map[string][]int  `json:"topicSubTopics"`
	VenueNames               map[string]string `json:"venueNames"`
}

type event struct {
	Description string  `json:"description"`
	ID          int     `json:"id"`
	Logo        *string `json:"logo"`
	Name        string  `json:"name"`
	SubTopicIDs []int   `json:"subTopicIds"`
	TopicIDs    []int   `json:"topicIds"`
	Subtitle    *string `json:"subtitle"`
}

type performance struct {
	EventID int     `json:"eventId"`
	ID      int     `json:"id"`
	Logo    *string `json:"logo"`
	Name    *string `json:"name"`
	Prices  []struct {
		Amount                int `json:"amount"`
		AudienceSubCategoryID int `json:"audienceSubCategoryId"`
		SeatCategoryID        int `json:"seatCategoryId"`
	} `json:"prices"`
	SeatCategories []struct {
		Areas []struct {
			AreaID   int   `json:"areaId"`
			BlockIDs []int `json:"blockIds"`
		} `json:"areas"`
		SeatCategoryID int `json:"seatCategoryId"`
	} `json:"seatCategories"`
	SeatMapImage *string `json:"seatMapImage"`
	Start        int64   `json:"start"`
	VenueCode    string  `json:"venueCode"`
}

// timeline is Twitter's answer to a search.
type timeline struct {
	Statuses []status `json:"statuses"`
	Metadata struct {
		CompletedIn float64 `json:"completed_in"`
		MaxID       int64   `json:"max_id"`
		MaxIDStr    string  `json:"max_id_str"`
		NextResults string  `json:"next_results"`
		Query       string  `json:"query"`
		RefreshURL  string  `json:"refresh_url"`
		Count       int     `json:"count"`
		SinceID     int     `json:"since_id"`
		SinceIDStr  string  `json:"since_id_str"`
	} `json:"search_metadata"`
}

type status struct {
	Metadata struct {
		ResultType      string `json:"result_type"`
		ISOLanguageCode string `json:"iso_language_code"`
	} `json:"metadata"`
	CreatedAt            string   `json:"created_at"`
	ID                   int64    `json:"id"`
	IDStr                string   `json:"id_str"`
	Text                 string   `json:"text"`
	Source               string   `json:"source"`
	Truncated            bool     `json:"truncated"`
	InReplyToStatusID    *int64   `json:"in_reply_to_status_id"`
	InReplyToStatusIDStr *string  `json:"in_reply_to_status_id_str"`
	InReplyToUserID      *int64   `json:"in_reply_to_user_id"`
	InReplyToUserIDStr   *string  `json:"in_reply_to_user_id_str"`
	InReplyToScreenName  *string  `json:"in_reply_to_screen_name"`
	User                 user     `json:"user"`
	Retweeted            *status  `json:"retweeted_status"`
	RetweetCount         int      `json:"retweet_count"`
	FavoriteCount        int      `json:"favorite_count"`
	Entities             entities `json:"entities"`
	Favorited            bool     `json:"favorited"`
	WasRetweeted         bool     `json:"retweeted"`
	PossiblySensitive    bool     `json:"possibly_sensitive"`
	Lang                 string   `json:"lang"`
}

type user struct {
	ID              int64    `json:"id"`
	IDStr           string   `json:"id_str"`
	Name            string   `json:"name"`
	ScreenName      string   `json:"screen_name"`
	Location        string   `json:"location"`
	Description     string   `json:"description"`
	URL             *string  `json:"url"`
	Entities        entities `json:"entities"`
	Protected       bool     `json:"protected"`
	FollowersCount  int      `json:"followers_count"`
	FriendsCount    int      `json:"friends_count"`
	ListedCount     int      `json:"listed_count"`
	CreatedAt       string   `json:"created_at"`
	FavouritesCount int      `json:"favourites_count"`
	UTCOffset       *int     `json:"utc_offset"`
	TimeZone        *string  `json:"time_zone"`
	GeoEnabled      bool     `json:"geo_enabled"`
	Verified        bool     `json:"verified"`
	StatusesCount   int      `json:"statuses_count"`
	Lang            string   `json:"lang"`
	Background      string   `json:"profile_background_image_url"`
	Image           string   `json:"profile_image_url"`
	Banner          string   `json:"profile_banner_url"`
	LinkColor       string   `json:"profile_link_color"`
	TextColor       string   `json:"profile_text_color"`
	DefaultProfile  bool     `json:"default_profile"`
	Following       bool     `json:"following"`
}

type entities struct {
	Hashtags []struct {
		Text    string `json:"text"`
		Indices []int  `json:"indices"`
	} `json:"hashtags"`
	URLs         []link `json:"urls"`
	UserMentions []struct {
		ScreenName string `json:"screen_name"`
		Name       string `json:"name"`
		ID         int64  `json:"id"`
		IDStr      string `json:"id_str"`
		Indices    []int  `json:"indices"`
	} `json:"user_mentions"`
	Description *struct {
		URLs []link `json:"urls"`
	} `json:"description"`
	Media []struct {
		ID       int64  `json:"id"`
		Indices  []int  `json:"indices"`
		MediaURL string `json:"media_url"`
		Type     string `json:"type"`
		Sizes    struct {
			Medium size `json:"medium"`
			Small  size `json:"small"`
			Thumb  size `json:"thumb"`
			Large  size `json:"large"`
		} `json:"sizes"`
	} `json:"media"`
}

type link struct {
	URL         string `json:"url"`
	ExpandedURL string `json:"expanded_url"`
	DisplayURL  string `json:"display_url"`
	Indices     []int  `json:"indices"`
}

type size struct {
	W      int    `json:"w"`
	H      int    `json:"h"`
	Resize string `json:"resize"`
}
